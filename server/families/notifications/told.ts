import type { approvals } from "@/db/schema";
import type { NotificationRow } from "./present-notifications";

type ApprovalRow = typeof approvals.$inferSelect;

/** A notification with its approval; none for a test. */
export type Told = { row: NotificationRow; approval: ApprovalRow | null };

/** The outcome of a try. `later`: it was not sent, and another try may succeed. */
export type Outcome = { status: "sent" | "failed" | "unknown"; error?: string } | { status: "later"; error: string; retryAfterMs?: number };
