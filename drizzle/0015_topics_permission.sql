UPDATE "api_keys" SET "scopes" = ("scopes" - 'channels:write') || '["topics:write"]'::jsonb WHERE "scopes" ? 'channels:write';
