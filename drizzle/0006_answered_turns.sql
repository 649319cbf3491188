ALTER TABLE "turns" ADD COLUMN "answered_at" timestamp (3) with time zone;--> statement-breakpoint
CREATE INDEX "turns_answered" ON "turns" USING btree ("answered_at") WHERE "turns"."answered_at" is not null;--> statement-breakpoint
UPDATE "turns" SET "answered_at" = now() WHERE "status" = 'suspended' AND NOT EXISTS (SELECT 1 FROM "approvals" WHERE "approvals"."turn_id" = "turns"."id" AND "approvals"."status" = 'pending');
