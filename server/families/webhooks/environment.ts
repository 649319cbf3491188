import { callbackAllowPrivate } from "@/server/capabilities/callbacks/allow-private";

/** Variables of this family; the first also decides on the callbacks of turns. */
export const environment = [callbackAllowPrivate];
