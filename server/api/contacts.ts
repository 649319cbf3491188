import { contactEndpoints } from "@/contracts/messengers/contacts";
import { addAddress, contacts, removeAddress, unlinkContact } from "@/server/contacts/contacts";
import { makeLinkCode } from "@/server/contacts/link-codes";
import { listContacts } from "@/server/contacts/list-contacts";
import { answer } from "@/server/endpoints/answer";

export const contactAnswers = answer(contactEndpoints, {
  list: ({ actor, query }) => listContacts(actor, query),
  create: contacts.create,
  get: contacts.get,
  update: contacts.update,
  remove: contacts.remove,
  addAddress: ({ actor, params, body }) => addAddress(actor, params.id, body),
  removeAddress: ({ actor, params }) => removeAddress(actor, params.id, params.addressId),
  makeLinkCode: ({ actor }) => makeLinkCode(actor),
  unlink: ({ actor, params }) => unlinkContact(actor, params.id),
});
