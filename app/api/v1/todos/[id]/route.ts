import { todoEndpoints } from "@/contracts/todos";
import { removeTodo } from "@/server/families/todos/manage-todos";
import { route } from "@/server/http/route";

export const DELETE = route(todoEndpoints.remove, async ({ actor, params }) => {
  await removeTodo(actor, params.id);
  return {};
});
