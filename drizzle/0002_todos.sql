CREATE TABLE "contacts" (
	"id" uuid PRIMARY KEY NOT NULL,
	"workspace_id" uuid NOT NULL,
	"name" text NOT NULL,
	"reachable_ids" jsonb NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "contacts_workspaceId_name_unique" UNIQUE("workspace_id","name")
);
--> statement-breakpoint
CREATE TABLE "recurring_todos" (
	"id" uuid PRIMARY KEY NOT NULL,
	"workspace_id" uuid NOT NULL,
	"content" text NOT NULL,
	"people" jsonb NOT NULL,
	"chat_id" text,
	"repeat_unit" text NOT NULL,
	"repeat_every" integer NOT NULL,
	"timezone" text NOT NULL,
	"next_at" timestamp (3) with time zone NOT NULL,
	"created_by" jsonb NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "todo_items" (
	"id" uuid PRIMARY KEY NOT NULL,
	"workspace_id" uuid NOT NULL,
	"status" text DEFAULT 'open' NOT NULL,
	"content" text NOT NULL,
	"people" jsonb NOT NULL,
	"chat_id" text,
	"conversation_id" uuid,
	"recurring_id" uuid,
	"created_by" jsonb NOT NULL,
	"done_by" jsonb,
	"done_at" timestamp (3) with time zone,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
ALTER TABLE "contacts" ADD CONSTRAINT "contacts_workspace_id_workspaces_id_fk" FOREIGN KEY ("workspace_id") REFERENCES "public"."workspaces"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "recurring_todos" ADD CONSTRAINT "recurring_todos_workspace_id_workspaces_id_fk" FOREIGN KEY ("workspace_id") REFERENCES "public"."workspaces"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "todo_items" ADD CONSTRAINT "todo_items_workspace_id_workspaces_id_fk" FOREIGN KEY ("workspace_id") REFERENCES "public"."workspaces"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "todo_items" ADD CONSTRAINT "todo_items_conversation_id_conversations_id_fk" FOREIGN KEY ("conversation_id") REFERENCES "public"."conversations"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "todo_items" ADD CONSTRAINT "todo_items_recurring_id_recurring_todos_id_fk" FOREIGN KEY ("recurring_id") REFERENCES "public"."recurring_todos"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "recurring_todos_workspace_id_id_index" ON "recurring_todos" USING btree ("workspace_id","id");--> statement-breakpoint
CREATE INDEX "recurring_todos_next_at_index" ON "recurring_todos" USING btree ("next_at");--> statement-breakpoint
CREATE INDEX "todo_items_workspace_id_status_id_index" ON "todo_items" USING btree ("workspace_id","status","id");--> statement-breakpoint
CREATE INDEX "todo_items_recurring_id_index" ON "todo_items" USING btree ("recurring_id");--> statement-breakpoint
CREATE INDEX "todo_items_conversation_id_index" ON "todo_items" USING btree ("conversation_id");