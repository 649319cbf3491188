import { defineFamily } from "../define-family";

/** Conversations of people with agents. Endpoints only: its messages are those of runs. */
export const chatsFamily = defineFamily({ name: "chats" });
