CREATE INDEX "audit_events_by_event" ON "audit_events" USING btree ("workspace_id",("event" collate "C"),"at");--> statement-breakpoint
CREATE INDEX "audit_events_by_agent" ON "audit_events" USING btree ("workspace_id",lower("agent"),"at");--> statement-breakpoint
CREATE INDEX "audit_events_by_source" ON "audit_events" USING btree ("workspace_id","source","at");--> statement-breakpoint
CREATE INDEX "audit_events_by_verdict" ON "audit_events" USING btree ("workspace_id","verdict","at") WHERE "audit_events"."verdict" <> 'allow';--> statement-breakpoint
CREATE INDEX "audit_events_by_actor" ON "audit_events" USING btree ("workspace_id","actor_id","at");--> statement-breakpoint
CREATE INDEX "audit_events_by_actor_name" ON "audit_events" USING btree ("workspace_id",lower("actor_name"),"at");--> statement-breakpoint
CREATE INDEX "audit_events_by_subject" ON "audit_events" USING btree ("workspace_id","subject") WHERE "audit_events"."conversation_id" is null;