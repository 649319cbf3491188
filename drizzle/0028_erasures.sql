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
CREATE INDEX "erasures_workspace_id_id_index" ON "erasures" USING btree ("workspace_id","id");--> statement-breakpoint
CREATE INDEX "audit_events_by_event" ON "audit_events" USING btree ("workspace_id",("event" collate "C"),"at");--> statement-breakpoint
CREATE INDEX "audit_events_by_agent" ON "audit_events" USING btree ("workspace_id",lower("agent"),"at");--> statement-breakpoint
CREATE INDEX "audit_events_by_source" ON "audit_events" USING btree ("workspace_id","source","at");--> statement-breakpoint
CREATE INDEX "audit_events_by_verdict" ON "audit_events" USING btree ("workspace_id","verdict","at") WHERE "audit_events"."verdict" <> 'allow';--> statement-breakpoint
CREATE INDEX "audit_events_by_actor" ON "audit_events" USING btree ("workspace_id","actor_id","at");--> statement-breakpoint
CREATE INDEX "audit_events_by_actor_name" ON "audit_events" USING btree ("workspace_id",lower("actor_name"),"at");--> statement-breakpoint
CREATE INDEX "audit_events_by_subject" ON "audit_events" USING btree ("workspace_id","subject") WHERE "audit_events"."conversation_id" is null;