import { defineFamily } from "../define-family";
import { chatAnswers } from "./endpoints";

/** Conversations of people with agents. Endpoints only: its messages are those of runs. */
export const chatsFamily = defineFamily({ name: "chats", endpoints: chatAnswers });
