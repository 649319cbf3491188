import { todoEndpoints } from "@/contracts/todos";
import { createTodo, listTodos } from "@/server/families/todos/manage-todos";
import { route } from "@/server/http/route";

export const GET = route(todoEndpoints.list, ({ actor, query }) => listTodos(actor, query));

export const POST = route(todoEndpoints.create, ({ actor, body }) => createTodo(actor, body));
