ALTER TABLE "conversations" ADD COLUMN "origin" text DEFAULT 'chat' NOT NULL;--> statement-breakpoint
ALTER TABLE "guard_config" ADD COLUMN "policy_file_digest" text;--> statement-breakpoint
ALTER TABLE "guard_rules" ADD COLUMN "exclude_pattern" text;--> statement-breakpoint
ALTER TABLE "guard_rules" ADD COLUMN "comparisons" jsonb DEFAULT '[]'::jsonb NOT NULL;--> statement-breakpoint
ALTER TABLE "guard_rules" ADD COLUMN "context" jsonb;