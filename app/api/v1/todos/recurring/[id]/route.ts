import { todoEndpoints } from "@/contracts/todos";
import { removeRecurring } from "@/server/families/todos/recurring-todos";
import { route } from "@/server/http/route";

export const DELETE = route(todoEndpoints.removeRecurring, async ({ actor, params }) => {
  await removeRecurring(actor, params.id);
  return {};
});
