"""What goes into this model's window now?"""
