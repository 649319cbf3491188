import { parseAsString } from "nuqs/server";

/** Search parameters of the page, read on the server and in the browser. */
export const chatSearch = {
  /** Id of the conversation; absent: a new one. */
  chat: parseAsString,
  /** Name of the agent of a new conversation; absent: the default agent. */
  agent: parseAsString,
  query: parseAsString.withDefault(""),
};
