-- Events are numbered within their turn from now on. The journal of a turn that is over follows from its rows, and one
-- that is open goes on from here.
DELETE FROM "turn_events";
--> statement-breakpoint
-- What the checks of the next migration ask for was always so, but for a turn that nobody claimed.
UPDATE "turns" SET "claimed_by" = gen_random_uuid() WHERE "status" = 'running' AND "claimed_by" IS NULL;
--> statement-breakpoint
UPDATE "turns" SET "claimed_by" = NULL WHERE "status" <> 'running';
--> statement-breakpoint
-- The number of an event is given by whoever writes it, under the turn's lock.
ALTER TABLE "turn_events" DROP CONSTRAINT "turn_events_pkey";
--> statement-breakpoint
ALTER TABLE "turn_events" ALTER COLUMN "seq" DROP DEFAULT;
--> statement-breakpoint
DROP SEQUENCE "turn_events_seq_seq";
