-- name: insert_access_key
-- A key that was issued; of its secret only a digest.
INSERT INTO access_keys (
    id, name, digest, kind, role, scope, per_minute, issued_at, expires_at, replaces
) VALUES (
    :id, :name, :digest, :kind, :role, :scope, :per_minute, :issued_at, :expires_at, :replaces
)

-- name: access_key
-- One key with its digest: whoever shows one asks this with every request.
SELECT id, name, kind, role, scope, per_minute, issued_at, expires_at, revoked_at, revoked_for,
       replaces, digest
FROM access_keys WHERE id = :id

-- name: access_keys
-- Every key that was ever issued, the newest first; never their digests.
SELECT id, name, kind, role, scope, per_minute, issued_at, expires_at, revoked_at, revoked_for,
       replaces
FROM access_keys ORDER BY issued_at DESC, id

-- name: revoke_access_key
-- From when on a key is refused; one that ends sooner already does not live longer by this.
UPDATE access_keys SET revoked_at = :revoked_at, revoked_for = :revoked_for
WHERE id = :id AND (revoked_at IS NULL OR revoked_at > :revoked_at)
