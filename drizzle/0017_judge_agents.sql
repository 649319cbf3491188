UPDATE "hooks" SET "action" = "action" || '{"agentId": null}'::jsonb WHERE "action" ->> 'type' = 'judge' AND NOT "action" ? 'agentId';
