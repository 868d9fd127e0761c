"""The words by which a text tries to command the model that reads it, in several languages.

Each concept is a set of words in small letters. A word belongs to one concept: the first that
lists it. The lists hold what commands are made of, not what any one text says.
"""

CONCEPTS: dict[str, frozenset[str]] = {
    name: frozenset(words.split())
    for name, words in {
        # Who acts, who is spoken to, what is denied.
        "self": "i we he she they ich wir er je nous il elle yo nosotros",
        "not": (
            "not never don't dont don'nt didn't doesn't can't cannot won't nicht nie niemals kein "
            "keine keinen ne pas jamais nunca without ohne sans sin"
        ),
        "you": "you du sie dich dir ihnen tu toi vous usted te ti ustedes you're you'll",
        "your": (
            "your yours deine deinen deiner dein deines ihre ihren ihrer ihr tes ton votre vos sus"
        ),
        "are": ("are bist sind be being become were bin es eres sois seid werden werde become's"),
        "that": "that dass daß que qu'",
        # What is to be put aside, and since when it has been there.
        "forget": (
            "ignore disregard forget override overrule bypass neglect discard unlearn omit "
            "ignoriere ignorieren ignorier vergiss vergessen vergesst missachte missachten "
            "verwirf streiche streichen übergehe ignorez ignorer oublie oubliez oublier ignora "
            "ignorar ignoren olvida olvide olvidar olvídate dimentica dimenticare esqueça esquece "
            "negeer vergeet zaboravi zanemari zignoruj zapomnij ignoruj disobey abandon contrary "
            "notwithstanding regardless abweichend entgegen ungeachtet contrairement"
        ),
        "drop": "drop erase wipe lösche löschen efface effacez borra borrar",
        "all": (
            "all every any each full entire whole complete alle allen aller sämtliche sämtlicher "
            "gesamten gesamte ganzen tout toute toutes tous todo toda todas todos tutte tutti sve "
            "alla"
        ),
        "everything": "everything anything alles",
        "prior": (
            "previous previously prior above preceding earlier before beforehand foregoing former "
            "initial original existing vorherige vorherigen vorheriger vorige vorigen bisherige "
            "bisherigen obige obigen oben vorangehende vorangehenden vorangegangene "
            "vorangegangenen vorangegangener davor vorher zuvor frühere früheren précédent "
            "précédente précédentes précédents antérieures antérieurs anterior anteriores previas "
            "previos precedenti prethodne poprzednie"
        ),
        "orders": (
            "instruction instructions directive directives guideline guidelines directions "
            "anweisung anweisungen instruktion instruktionen anleitungen vorgaben consigne "
            "consignes instrucción instrucciones indicaciones istruzioni instruções instrukcije "
            "upute instrukcje safeguards guardrails"
        ),
        "prompt": (
            "prompt prompts prompt-text prompt-texte prompt-texts prompttext prompt_text "
            "eingabeaufforderung systemprompt system-prompt"
        ),
        "tasks": (
            "task tasks assignment assignments orders commands command rules rule "
            "constraints policies filters requests training programming aufgabe aufgaben auftrag "
            "aufträge befehl befehle regeln angaben ordres règles tâche tâches órdenes reglas "
            "tarea tareas test challenge herausforderung"
        ),
        "sources": (
            "documents document articles article context artikels kontext information "
            "informationen dokumente sources texts text texte textes conversation message "
            "messages words embeddings"
        ),
        # What is to come instead.
        "new": (
            "new neue neuen neuer neues nouveau nouvelle nouvelles nouveaux nueva nuevas nuevo "
            "nuevos next second zweite zweiter weitere another nuove novas"
        ),
        "now": "now jetzt nun ab maintenant désormais ahora ora henceforth onwards",
        "come": (
            "come comes follow follows folgen folgt kommen kommt start starts begin begins "
            "beginnt beginnen starten focus concentrate konzentriere konzentrieren here"
        ),
        "change": (
            "change replace update alter modify rewrite ändere ersetze changez remplace cambia "
            "reemplaza"
        ),
        "instead": (
            "instead just only always simply stattdessen nur einfach immer seulement simplement "
            "solo siempre exactly"
        ),
        "say": (
            "say print output respond reply answer write sag sage sagen antworte antworten "
            "schreibe schreib schreiben verfasse drucke drucken dis dites réponds répondez écris "
            "écrivez di diga responde responda escribe imprime generate include formuliere sing "
            "call"
        ),
        "state": "state behaupte claim",
        "yes": "yes no ja nein oui non sí",
        "show": (
            "show reveal repeat display tell return spell-check spellcheck leak dump expose "
            "recite disclose echo reproduce zeige zeigen zeig nenne wiederhole wiederholen "
            "verrate montre montrez affiche affichez répète révèle muestra muestre revela repite "
            "mostra"
        ),
        "behind": "behind aside hinter beiseite derrière atrás",
        "leave": "leave put set lassen lass lasst laissez laisse deja deje",
        "anew": "anew scratch vorne afresh",
        "would": "would",
        "overrides": "overrides supersedes",
        "restrictions": "restrictions",
        "with": "with mit avec con",
        "start": "beginning anfang début principio inicio written",
        # Another role to play.
        "act": (
            "act behave roleplay role-play impersonate fungieren fungiere agieren agiere "
            "auftreten verhalte verhältst agis agissez comporte actúa actúe compórtate simulate"
        ),
        "as": "as als like wie comme como",
        "want": "want möchte möchten will veux voudrais quiero quisiera need command",
        "pretend": "pretend finge fingir prétends",
        "imagine": "imagine stell stellen vorstellen imagina imaginez simula",
        "role": (
            "role roles rolle rollen actor actors schauspieler character characters figur figuren "
            "film movie drehbuch scene schauspielerin persona"
        ),
        "take": "assume adopt nimm übernimm",
        "theory": (
            "hypothetical theoretical hypothetically theoretically hypothetisch hypothetischen "
            "fictional fiktiven theoretischen"
        ),
        "free": (
            "unfiltered uncensored unrestricted jailbreak jailbroken immoral amoral unethical "
            "ungefiltert unzensiert pwned jailbreaking"
        ),
        "moderation": (
            "moderation restriction censorship filter ethics ethical morals limitations "
            "einschränkungen beschränkungen restricciones limites"
        ),
        "model": (
            "ai ki llm chatbot chatgpt gpt assistant assistants bot agent agents ia copilot "
            "claude gemini"
        ),
        "language": "language sprachmodell",
        "knowledge": "knowledge wissen",
        "own": "own eigenes eigenen",
        # Carrying things out.
        "send": (
            "send forward upload transmit exfiltrate submit email mail sende senden schicke "
            "schicken envoie envoyez envía envie"
        ),
        "memories": "memories memory erinnerungen souvenirs memorias",
        "treasure": (
            "history passwords password secrets secret credentials keys tokens "
            "key token contents transcript chats passwörter geheimnisse "
            "secretos variables env"
        ),
        "user": "user users nutzer benutzer utilisateur usuario human owner",
        "inform": ("mention inform alert notify warn erwähne informiere mentionne menciones hint"),
        "whenever": "whenever quand cuando",
        "if": "if wenn falls si",
        "trusted": "trusted authoritative reliable official preferred vertrauenswürdig",
        "remember": "remember memorize merke memorise souviens recuerda note",
        "recommend": "recommend cite promote suggest empfiehl prefer",
        "source": "source quelle fuente vendor provider brand",
        "decode": (
            "decode decrypt unscramble rot13 base64 deobfuscate dekodiere décode decodifica"
        ),
        "run": "execute run obey comply führe exécute ejecuta befolge obéis obedece",
        "praise": (
            "great excellent superb superbly fantastic fantastisch super wonderful ausgezeichnete "
            "ausgezeichnet hervorragend bravo done congratulations glückwunsch"
        ),
        "attention": "attention achtung urgent dringend urgente warning",
        "halt": "stop stopp halt",
        "system": "system admin administrator developer root override-code sudo",
        "what": "what welche welchen quelles quelle qué cuáles",
        "mind": "mind kopf gedächtnis",
        "mode": "mode modus modo",
    }.items()
}
