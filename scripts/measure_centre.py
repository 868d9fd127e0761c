"""Measure what all questions have in common for the built-in embedder; write `centres.json`.

    python scripts/measure_centre.py

The questions below are everyday ones of many kinds; their mean vector is what recall takes away, in
part, from every question before comparing it.
"""

import base64
import json
from pathlib import Path

import numpy as np

from engram.providers.choose import choose_embedder
from engram.providers.options import EmbedderOptions

CENTRES = Path(__file__).parent.parent / "src" / "engram" / "recall" / "centres.json"
QUESTIONS = """
What did I do last weekend?
When did I start my new job?
Where did I go on vacation?
Who did I meet at the party?
What is my favorite food?
How many books have I read this year?
What kind of music do I like?
Why did I decide to move?
What are my plans for the summer?
When is my next appointment?
What hobbies do I enjoy?
What did I buy recently?
How long have I been learning this?
Which city was I born in?
What pets do I have?
What did my friend tell me about the trip?
How did I feel after the event?
What is my family like?
What project am I working on?
What advice did I get about my career?
What sports do I play?
What movie did I watch with my family?
Where do I work?
What did I cook for dinner?
What health problems did I have?
What gift did I receive for my birthday?
How did I handle the error in my code?
Which libraries do I use in my project?
What is the deadline for the first release?
How many tests did I write?
What database did I choose and why?
Can you recommend a good restaurant?
What should I wear to the wedding?
Can you suggest some books to read?
How can I improve my sleep?
What is the best way to learn a language?
Can you help me plan a trip?
What exercises would you suggest for me?
I'm thinking about buying a car. What do you recommend?
What are some good gifts for a friend?
How should I prepare for the exam?
Can you give me some tips for saving money?
What laptop should I buy?
How do I decorate my living room?
What are some fun activities for the weekend?
Could you suggest a recipe for dinner?
What games would I enjoy?
How can I manage my time better?
What is the current status of the task?
How much did I pay for it?
What changed since last month?
Can you summarize what we discussed about the budget?
In what order did I mention these topics?
What steps did I take to solve the problem?
Have I ever worked with this tool?
What do I need to remember for the meeting?
Which option did I prefer?
What did you recommend to me?
How old are my children?
What school did I attend?
What are my goals for this year?
What volunteer work did I do?
When did I last see my parents?
What instrument do I play?
Which places would I like to visit?
How did I get into painting?
What is my opinion about remote work?
Who supports me when things are hard?
What happened to my car?
What did I learn from the course?

"""


def main() -> None:
    embedder = choose_embedder(EmbedderOptions())
    if embedder is None:
        raise SystemExit("no embedder")
    vectors = embedder.embed(QUESTIONS.split("\n")[1:-2])
    centre = vectors.mean(axis=0).astype(np.float16)
    text = base64.b64encode(centre.tobytes()).decode()
    CENTRES.write_text(json.dumps({embedder.identity: text}, indent=2) + "\n", encoding="utf-8")
    print(embedder.identity, len(vectors), float(np.linalg.norm(centre.astype(np.float32))))


if __name__ == "__main__":
    main()
