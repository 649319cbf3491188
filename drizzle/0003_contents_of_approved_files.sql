ALTER TABLE "approvals" ADD COLUMN "contents" jsonb;--> statement-breakpoint
ALTER TABLE "grants" ADD COLUMN "contents" jsonb;