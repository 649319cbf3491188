import { todoEndpoints } from "@/contracts/todos";
import { removeContact } from "@/server/families/todos/manage-contacts";
import { route } from "@/server/http/route";

export const DELETE = route(todoEndpoints.removeContact, async ({ actor, params }) => {
  await removeContact(actor, params.id);
  return {};
});
