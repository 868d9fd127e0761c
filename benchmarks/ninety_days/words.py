"""The small world the simulated person lives in: people, places, things and services."""


def listed(text: str) -> tuple[str, ...]:
    """Phrases set apart by bars, however the lines are broken."""
    return tuple(" ".join(each.split()) for each in text.split("|"))


KIN = tuple(
    """Ulla Edvin Tove Rasmus Linnea Otto Ingrid Malte Selma Viggo Hedda Anton Maj Folke Elsa
    Nils""".split()
)
FRIENDS = tuple(
    """Beatriz Kofi Yusuf Marit Dragan Imani Teodor Saskia Wanda Pavel Noor Lucia Hamid Greta
    Tariq Odile Mirek Aino Bashir Celia""".split()
)
COLLEAGUES = tuple(
    """Anneli Joost Priya Casimir Leonie Farouk Henrike Tomasz Valeria Oskar Bettina Naveen
    Ludmila Quentin Rosalind Ismail Katarina Ferdinand Amara Julius Dorota Emeka Sunniva Ruben
    Maxine Stellan""".split()
)
SURNAMES = tuple(
    """Ahlgren Brandvold Castellan Dekker Eriksen Fontaine Grabowski Hallberg Iversen Jankowski
    Kowalczyk Lindgren Moreau Nakamura Oyelaran Petrescu Quist Rautio Szabo Tveit Ullmann
    Vasquez Wikander Zandstra""".split()
)
COMPANIES = tuple(
    """Nordkai Belmora Trivanta Osterfeld Quillmark Havnika Pellworm Sandvane Corvello Lumitra
    Fennwick Astrolin Marevik Dunholm Ravelle Stormgard""".split()
)
CITIES = tuple(
    """Trieste Bergen Ghent Turku Girona Aarhus Graz Coimbra Gdansk Nantes Maribor Tartu Bilbao
    Lucerne Brno Galway""".split()
)
TOWNS = tuple(
    """Skagen Visby Zamora Kalmar Ronda Amalfi Husum Tabor Sopot Bled Evora Molde Piran Lunden
    Tarifa Arvika Dinant Kotor Hanko Ystad""".split()
)
COMPONENTS = {
    "harbour": listed(
        """berth calendar|tide importer|invoice writer|mooring map|waitlist mailer|pilot roster|
        crane planner|fuel ledger|visitor kiosk|dock sensor feed"""
    ),
    "atlas": listed(
        """map tiler|scan uploader|label reader|archive index|legend editor|georeferencer|
        colour corrector|sheet stitcher|viewer shell|catalogue exporter"""
    ),
    "orchard": listed(
        """harvest ledger|share planner|crate labels|route sheet|member portal|frost alarm|
        seed catalogue|pickup board|soil logbook|payment reminder"""
    ),
}
