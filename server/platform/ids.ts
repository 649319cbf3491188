import { v7 } from "@/db/uuid";
import { processWide } from "./process-wide";

/** A new id: UUIDv7. */
export const newId = v7;

/** Names this process among all replicas that ever ran; new at each start. */
export const bootId = () => processWide("bootId", v7);
