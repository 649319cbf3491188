ALTER TABLE "tools" ADD COLUMN "schema_dialect" text;--> statement-breakpoint
ALTER TABLE "tools" ADD COLUMN "output_schema" jsonb;