import { defineFamily } from "../define-family";
import { sessions } from "./sessions-capability";
import { sessionSearch } from "./tools/session-search";

export const sessionsFamily = defineFamily({
  name: "sessions",
  tools: [sessionSearch],
  capabilities: [sessions],
  glossary: { session: "An earlier conversation of the same person with the same agent, as `session_search` finds it." },
});
