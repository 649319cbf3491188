CREATE TABLE "channel_deliveries" (
	"id" uuid PRIMARY KEY NOT NULL,
	"watch_id" uuid NOT NULL,
	"message_id" uuid NOT NULL,
	"outcome" text NOT NULL,
	"reason" text,
	"conversation_id" uuid,
	"run_id" uuid,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "channel_messages" (
	"id" uuid PRIMARY KEY NOT NULL,
	"workspace_id" uuid NOT NULL,
	"channel_id" uuid NOT NULL,
	"text" text NOT NULL,
	"sender" text NOT NULL,
	"sender_agent_id" uuid,
	"conversation_id" uuid,
	"depth" integer NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "channel_watches" (
	"id" uuid PRIMARY KEY NOT NULL,
	"workspace_id" uuid NOT NULL,
	"channel_id" uuid NOT NULL,
	"agent_id" uuid NOT NULL,
	"name" text NOT NULL,
	"prompt" text NOT NULL,
	"filter_sender" text,
	"enabled" boolean DEFAULT true NOT NULL,
	"last_error" text,
	"last_fired_at" timestamp (3) with time zone,
	"created_by" jsonb NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "channel_watches_agentId_name_unique" UNIQUE("agent_id","name")
);
--> statement-breakpoint
CREATE TABLE "channels" (
	"id" uuid PRIMARY KEY NOT NULL,
	"workspace_id" uuid NOT NULL,
	"name" text NOT NULL,
	"description" text NOT NULL,
	"created_by" jsonb NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "channels_workspaceId_name_unique" UNIQUE("workspace_id","name")
);
--> statement-breakpoint
ALTER TABLE "channel_deliveries" ADD CONSTRAINT "channel_deliveries_watch_id_channel_watches_id_fk" FOREIGN KEY ("watch_id") REFERENCES "public"."channel_watches"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "channel_deliveries" ADD CONSTRAINT "channel_deliveries_message_id_channel_messages_id_fk" FOREIGN KEY ("message_id") REFERENCES "public"."channel_messages"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "channel_deliveries" ADD CONSTRAINT "channel_deliveries_conversation_id_conversations_id_fk" FOREIGN KEY ("conversation_id") REFERENCES "public"."conversations"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "channel_deliveries" ADD CONSTRAINT "channel_deliveries_run_id_runs_id_fk" FOREIGN KEY ("run_id") REFERENCES "public"."runs"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "channel_messages" ADD CONSTRAINT "channel_messages_workspace_id_workspaces_id_fk" FOREIGN KEY ("workspace_id") REFERENCES "public"."workspaces"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "channel_messages" ADD CONSTRAINT "channel_messages_channel_id_channels_id_fk" FOREIGN KEY ("channel_id") REFERENCES "public"."channels"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "channel_messages" ADD CONSTRAINT "channel_messages_sender_agent_id_agents_id_fk" FOREIGN KEY ("sender_agent_id") REFERENCES "public"."agents"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "channel_messages" ADD CONSTRAINT "channel_messages_conversation_id_conversations_id_fk" FOREIGN KEY ("conversation_id") REFERENCES "public"."conversations"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "channel_watches" ADD CONSTRAINT "channel_watches_workspace_id_workspaces_id_fk" FOREIGN KEY ("workspace_id") REFERENCES "public"."workspaces"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "channel_watches" ADD CONSTRAINT "channel_watches_channel_id_channels_id_fk" FOREIGN KEY ("channel_id") REFERENCES "public"."channels"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "channel_watches" ADD CONSTRAINT "channel_watches_agent_id_agents_id_fk" FOREIGN KEY ("agent_id") REFERENCES "public"."agents"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "channels" ADD CONSTRAINT "channels_workspace_id_workspaces_id_fk" FOREIGN KEY ("workspace_id") REFERENCES "public"."workspaces"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "channel_deliveries_watch_id_message_id_index" ON "channel_deliveries" USING btree ("watch_id","message_id");--> statement-breakpoint
CREATE INDEX "channel_deliveries_message_id_index" ON "channel_deliveries" USING btree ("message_id");--> statement-breakpoint
CREATE INDEX "channel_deliveries_conversation_id_index" ON "channel_deliveries" USING btree ("conversation_id");--> statement-breakpoint
CREATE INDEX "channel_deliveries_run_id_index" ON "channel_deliveries" USING btree ("run_id");--> statement-breakpoint
CREATE INDEX "channel_messages_channel_id_id_index" ON "channel_messages" USING btree ("channel_id","id");--> statement-breakpoint
CREATE INDEX "channel_messages_workspace_id_index" ON "channel_messages" USING btree ("workspace_id");--> statement-breakpoint
CREATE INDEX "channel_messages_sender_agent_id_index" ON "channel_messages" USING btree ("sender_agent_id");--> statement-breakpoint
CREATE INDEX "channel_messages_conversation_id_index" ON "channel_messages" USING btree ("conversation_id");--> statement-breakpoint
CREATE INDEX "channel_messages_created_at_index" ON "channel_messages" USING btree ("created_at");--> statement-breakpoint
CREATE INDEX "channel_watches_channel_id_index" ON "channel_watches" USING btree ("channel_id");--> statement-breakpoint
CREATE INDEX "channel_watches_workspace_id_id_index" ON "channel_watches" USING btree ("workspace_id","id");