CREATE TABLE "erasure_items" (
	"erasure_id" uuid NOT NULL,
	"kind" text NOT NULL,
	"name" text NOT NULL,
	"is_done" boolean DEFAULT false NOT NULL,
	CONSTRAINT "erasure_items_erasure_id_kind_name_pk" PRIMARY KEY("erasure_id","kind","name")
);
--> statement-breakpoint
CREATE TABLE "erasures" (
	"id" uuid PRIMARY KEY NOT NULL,
	"workspace_id" uuid NOT NULL,
	"kind" text NOT NULL,
	"person_id" text NOT NULL,
	"status" text DEFAULT 'running' NOT NULL,
	"step" text NOT NULL,
	"counts" jsonb DEFAULT '{}'::jsonb NOT NULL,
	"audit_events" bigint DEFAULT 0 NOT NULL,
	"requested_by" jsonb NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"finished_at" timestamp (3) with time zone
);
--> statement-breakpoint
ALTER TABLE "erasure_items" ADD CONSTRAINT "erasure_items_erasure_id_erasures_id_fk" FOREIGN KEY ("erasure_id") REFERENCES "public"."erasures"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "erasures" ADD CONSTRAINT "erasures_workspace_id_workspaces_id_fk" FOREIGN KEY ("workspace_id") REFERENCES "public"."workspaces"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "erasures_workspace_id_id_index" ON "erasures" USING btree ("workspace_id","id");