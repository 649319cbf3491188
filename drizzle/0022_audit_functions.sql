-- Written by hand: the schema generator cannot express functions.
-- Place of a transaction in the order of the audit. In a database that was copied to another cluster, whose transactions
-- count from a lower number, the start replaces the function by one with an offset.
CREATE FUNCTION "audit_position"("transaction" xid8) RETURNS bigint LANGUAGE sql IMMUTABLE STRICT AS $$
	SELECT "transaction"::text::bigint
$$;
