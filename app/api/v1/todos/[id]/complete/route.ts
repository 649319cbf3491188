import { todoEndpoints } from "@/contracts/todos";
import { completeTodo } from "@/server/families/todos/manage-todos";
import { route } from "@/server/http/route";

export const POST = route(todoEndpoints.complete, ({ actor, params }) => completeTodo(actor, params.id));
