import { identityEndpoints } from "@/contracts/identity";
import { createUser } from "@/server/auth/create-user";
import { listUsers } from "@/server/auth/list-users";
import { route } from "@/server/http/route";

export const GET = route(identityEndpoints.listUsers, ({ actor, query }) => listUsers(actor, query));
export const POST = route(identityEndpoints.createUser, ({ actor, body }) => createUser(actor, body));
