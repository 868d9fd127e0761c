"""Who embeds and who reranks: models behind small contracts, none needed to open a store."""
