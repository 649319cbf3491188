import { todoEndpoints } from "@/contracts/todos";
import { createContact, listContacts } from "@/server/families/todos/manage-contacts";
import { route } from "@/server/http/route";

export const GET = route(todoEndpoints.listContacts, ({ actor }) => listContacts(actor));

export const POST = route(todoEndpoints.createContact, ({ actor, body }) => createContact(actor, body));
