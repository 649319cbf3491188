ALTER TABLE "guard_config" ADD COLUMN "detectors" jsonb DEFAULT '{}'::jsonb NOT NULL;--> statement-breakpoint
ALTER TABLE "guard_config" ADD COLUMN "denied_tools" jsonb DEFAULT '[]'::jsonb NOT NULL;--> statement-breakpoint
ALTER TABLE "guard_config" ADD COLUMN "sensitive_paths" jsonb DEFAULT '[]'::jsonb NOT NULL;