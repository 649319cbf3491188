import { toRoutes } from "@/server/http/routes";
import { answers } from "./answers";

/** Every route of the REST API: what the fast lane and the one route handler of Next read. */
export const routes = toRoutes(answers);
