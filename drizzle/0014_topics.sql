ALTER TABLE "channel_deliveries" RENAME TO "topic_deliveries";--> statement-breakpoint
ALTER TABLE "channel_messages" RENAME TO "topic_messages";--> statement-breakpoint
ALTER TABLE "channel_watches" RENAME TO "topic_watches";--> statement-breakpoint
ALTER TABLE "channels" RENAME TO "topics";--> statement-breakpoint
ALTER TABLE "topic_messages" RENAME COLUMN "channel_id" TO "topic_id";--> statement-breakpoint
ALTER TABLE "topic_watches" RENAME COLUMN "channel_id" TO "topic_id";--> statement-breakpoint
ALTER TABLE "group_nodes" RENAME COLUMN "channel_id" TO "topic_id";--> statement-breakpoint
ALTER TABLE "group_wires" RENAME COLUMN "channel_id" TO "topic_id";--> statement-breakpoint
ALTER TABLE "topic_watches" DROP CONSTRAINT "channel_watches_agentId_name_unique";--> statement-breakpoint
ALTER TABLE "topics" DROP CONSTRAINT "channels_workspaceId_name_unique";--> statement-breakpoint
ALTER TABLE "topic_deliveries" DROP CONSTRAINT "channel_deliveries_watch_id_channel_watches_id_fk";
--> statement-breakpoint
ALTER TABLE "topic_deliveries" DROP CONSTRAINT "channel_deliveries_message_id_channel_messages_id_fk";
--> statement-breakpoint
ALTER TABLE "topic_deliveries" DROP CONSTRAINT "channel_deliveries_conversation_id_conversations_id_fk";
--> statement-breakpoint
ALTER TABLE "topic_deliveries" DROP CONSTRAINT "channel_deliveries_run_id_runs_id_fk";
--> statement-breakpoint
ALTER TABLE "topic_messages" DROP CONSTRAINT "channel_messages_workspace_id_workspaces_id_fk";
--> statement-breakpoint
ALTER TABLE "topic_messages" DROP CONSTRAINT "channel_messages_channel_id_channels_id_fk";
--> statement-breakpoint
ALTER TABLE "topic_messages" DROP CONSTRAINT "channel_messages_sender_agent_id_agents_id_fk";
--> statement-breakpoint
ALTER TABLE "topic_messages" DROP CONSTRAINT "channel_messages_conversation_id_conversations_id_fk";
--> statement-breakpoint
ALTER TABLE "topic_watches" DROP CONSTRAINT "channel_watches_workspace_id_workspaces_id_fk";
--> statement-breakpoint
ALTER TABLE "topic_watches" DROP CONSTRAINT "channel_watches_channel_id_channels_id_fk";
--> statement-breakpoint
ALTER TABLE "topic_watches" DROP CONSTRAINT "channel_watches_agent_id_agents_id_fk";
--> statement-breakpoint
ALTER TABLE "topics" DROP CONSTRAINT "channels_workspace_id_workspaces_id_fk";
--> statement-breakpoint
ALTER TABLE "topics" DROP CONSTRAINT "channels_group_agent_id_agents_id_fk";
--> statement-breakpoint
ALTER TABLE "group_nodes" DROP CONSTRAINT "group_nodes_channel_id_channels_id_fk";
--> statement-breakpoint
ALTER TABLE "group_wires" DROP CONSTRAINT "group_wires_channel_id_channels_id_fk";
--> statement-breakpoint
DROP INDEX "channel_deliveries_watch_id_message_id_index";--> statement-breakpoint
DROP INDEX "channel_deliveries_message_id_index";--> statement-breakpoint
DROP INDEX "channel_deliveries_conversation_id_index";--> statement-breakpoint
DROP INDEX "channel_deliveries_run_id_index";--> statement-breakpoint
DROP INDEX "channel_messages_channel_id_id_index";--> statement-breakpoint
DROP INDEX "channel_messages_workspace_id_index";--> statement-breakpoint
DROP INDEX "channel_messages_sender_agent_id_index";--> statement-breakpoint
DROP INDEX "channel_messages_conversation_id_index";--> statement-breakpoint
DROP INDEX "channel_messages_created_at_index";--> statement-breakpoint
DROP INDEX "channel_watches_channel_id_index";--> statement-breakpoint
DROP INDEX "channel_watches_workspace_id_id_index";--> statement-breakpoint
DROP INDEX "channels_group_agent_id_index";--> statement-breakpoint
DROP INDEX "group_nodes_channel_id_index";--> statement-breakpoint
DROP INDEX "group_wires_channel_id_index";--> statement-breakpoint
ALTER TABLE "group_wires" DROP CONSTRAINT "group_wires_from_agent_id_channel_id_pk";--> statement-breakpoint
ALTER TABLE "group_wires" ADD CONSTRAINT "group_wires_from_agent_id_topic_id_pk" PRIMARY KEY("from_agent_id","topic_id");--> statement-breakpoint
ALTER TABLE "topic_deliveries" ADD CONSTRAINT "topic_deliveries_watch_id_topic_watches_id_fk" FOREIGN KEY ("watch_id") REFERENCES "public"."topic_watches"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "topic_deliveries" ADD CONSTRAINT "topic_deliveries_message_id_topic_messages_id_fk" FOREIGN KEY ("message_id") REFERENCES "public"."topic_messages"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "topic_deliveries" ADD CONSTRAINT "topic_deliveries_conversation_id_conversations_id_fk" FOREIGN KEY ("conversation_id") REFERENCES "public"."conversations"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "topic_deliveries" ADD CONSTRAINT "topic_deliveries_run_id_runs_id_fk" FOREIGN KEY ("run_id") REFERENCES "public"."runs"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "topic_messages" ADD CONSTRAINT "topic_messages_workspace_id_workspaces_id_fk" FOREIGN KEY ("workspace_id") REFERENCES "public"."workspaces"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "topic_messages" ADD CONSTRAINT "topic_messages_topic_id_topics_id_fk" FOREIGN KEY ("topic_id") REFERENCES "public"."topics"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "topic_messages" ADD CONSTRAINT "topic_messages_sender_agent_id_agents_id_fk" FOREIGN KEY ("sender_agent_id") REFERENCES "public"."agents"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "topic_messages" ADD CONSTRAINT "topic_messages_conversation_id_conversations_id_fk" FOREIGN KEY ("conversation_id") REFERENCES "public"."conversations"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "topic_watches" ADD CONSTRAINT "topic_watches_workspace_id_workspaces_id_fk" FOREIGN KEY ("workspace_id") REFERENCES "public"."workspaces"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "topic_watches" ADD CONSTRAINT "topic_watches_topic_id_topics_id_fk" FOREIGN KEY ("topic_id") REFERENCES "public"."topics"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "topic_watches" ADD CONSTRAINT "topic_watches_agent_id_agents_id_fk" FOREIGN KEY ("agent_id") REFERENCES "public"."agents"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "topics" ADD CONSTRAINT "topics_workspace_id_workspaces_id_fk" FOREIGN KEY ("workspace_id") REFERENCES "public"."workspaces"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "topics" ADD CONSTRAINT "topics_group_agent_id_agents_id_fk" FOREIGN KEY ("group_agent_id") REFERENCES "public"."agents"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "group_nodes" ADD CONSTRAINT "group_nodes_topic_id_topics_id_fk" FOREIGN KEY ("topic_id") REFERENCES "public"."topics"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "group_wires" ADD CONSTRAINT "group_wires_topic_id_topics_id_fk" FOREIGN KEY ("topic_id") REFERENCES "public"."topics"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "topic_deliveries_watch_id_message_id_index" ON "topic_deliveries" USING btree ("watch_id","message_id");--> statement-breakpoint
CREATE INDEX "topic_deliveries_message_id_index" ON "topic_deliveries" USING btree ("message_id");--> statement-breakpoint
CREATE INDEX "topic_deliveries_conversation_id_index" ON "topic_deliveries" USING btree ("conversation_id");--> statement-breakpoint
CREATE INDEX "topic_deliveries_run_id_index" ON "topic_deliveries" USING btree ("run_id");--> statement-breakpoint
CREATE INDEX "topic_messages_topic_id_id_index" ON "topic_messages" USING btree ("topic_id","id");--> statement-breakpoint
CREATE INDEX "topic_messages_workspace_id_index" ON "topic_messages" USING btree ("workspace_id");--> statement-breakpoint
CREATE INDEX "topic_messages_sender_agent_id_index" ON "topic_messages" USING btree ("sender_agent_id");--> statement-breakpoint
CREATE INDEX "topic_messages_conversation_id_index" ON "topic_messages" USING btree ("conversation_id");--> statement-breakpoint
CREATE INDEX "topic_messages_created_at_index" ON "topic_messages" USING btree ("created_at");--> statement-breakpoint
CREATE INDEX "topic_watches_topic_id_index" ON "topic_watches" USING btree ("topic_id");--> statement-breakpoint
CREATE INDEX "topic_watches_workspace_id_id_index" ON "topic_watches" USING btree ("workspace_id","id");--> statement-breakpoint
CREATE INDEX "topics_group_agent_id_index" ON "topics" USING btree ("group_agent_id");--> statement-breakpoint
CREATE INDEX "group_nodes_topic_id_index" ON "group_nodes" USING btree ("topic_id");--> statement-breakpoint
CREATE INDEX "group_wires_topic_id_index" ON "group_wires" USING btree ("topic_id");--> statement-breakpoint
ALTER TABLE "topic_watches" ADD CONSTRAINT "topic_watches_agentId_name_unique" UNIQUE("agent_id","name");--> statement-breakpoint
ALTER TABLE "topics" ADD CONSTRAINT "topics_workspaceId_name_unique" UNIQUE("workspace_id","name");