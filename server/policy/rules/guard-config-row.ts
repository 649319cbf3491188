import type { guardConfig } from "@/db/schema";

export type GuardConfigRow = typeof guardConfig.$inferSelect;
