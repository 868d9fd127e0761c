-- Vectors of memories that fade may be kept in fewer bits; each row says in how many.

-- NULL: as its space stores. A column, since the length of the bytes tells it only as long as the
-- dimension is known, and a damaged dimension is mended by these lengths.
ALTER TABLE vectors ADD COLUMN bits INTEGER CHECK (bits IN (8, 4, 2));

-- Rises with every vector that is kept in other bits than before. Apart from generation: an index
-- that holds only sketches of vectors goes on with those it has, one that holds them all reads anew.
ALTER TABLE spaces ADD COLUMN recoded INTEGER NOT NULL DEFAULT 0;

DROP TRIGGER vectors_altered;
CREATE TRIGGER vectors_altered AFTER UPDATE ON vectors
WHEN new.bits IS old.bits OR (new.id, new.space, new.number, new.version, new.part)
    <> (old.id, old.space, old.number, old.version, old.part) BEGIN
    UPDATE spaces SET generation = generation + 1 WHERE space IN (old.space, new.space); END;
CREATE TRIGGER vectors_recoded AFTER UPDATE ON vectors
WHEN new.bits IS NOT old.bits BEGIN
    UPDATE spaces SET recoded = recoded + 1 WHERE space IN (old.space, new.space); END;
