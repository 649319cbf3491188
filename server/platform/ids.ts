import { v7 } from "@/db/uuid";
import { processWide } from "./process-wide";

/** Creates an id: UUIDv7. */
export const newId = v7;

/** Id of this process, unique among all replicas ever started; new at each start. */
export const bootId = () => processWide("bootId", v7);
