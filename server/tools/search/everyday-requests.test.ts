import { expect, test } from "vitest";
import { ToolIndex, type ToolText } from "./tool-index";

/** Tools of invented servers, written as real ones are: source, name, description. */
const tools = `
mail|sendMessage|Send an email message
mail|findMessage|Search for messages containing specific words or phrases
mail|listMessages|List recent messages from the inbox
identity|create_user|Create a user in the organization
identity|deactivate_user|Deactivates a user from the organization
identity|list_group_users|List all users in a group
identity|get_email_customization|Get a customization of the email template
identity|create_email_domain|Create a domain from which email is sent
identity|get_error_page|Get the customized error page of a brand
payments|create_invoice|Creates a new invoice
payments|create_coupon|Create a coupon in the account
payments|retrieve_balance|Retrieve the balance of the account
payments|update_dispute|Update a dispute
tasks|create_task|Create a new task in a task list
tasks|toggle_task_completion|Toggle task completion status
pages|add_comment|Add comments to pages
pages|create_page|Create a new page
pages|sites_publish|Publish a site to its domains
content|copy_node|Copy a node to a different location in the repository
content|list_children|List all child nodes of a parent node
content|upload_file|Upload a file to the repository
broker|get_holdings|Get long-term holdings of the account
broker|place_order|Place an order for a share
broker|cancel_order|Cancel a pending order
cluster|get_nodes|Get all nodes of the cluster
cluster|create_deployment|Create a deployment in the cluster
cluster|get_logs|Get logs of a pod
db|list_tables|List all tables in the database
db|describe_table|Get the schema of a table
weather|forecast|Weather forecast for a city
`
  .trim()
  .split("\n")
  .map((line) => line.split("|"));

const requests: readonly (readonly [request: string, tool: string])[] = [
  ["write an email to my boss", "mail__sendMessage"],
  ["look through my mailbox for the invoice", "mail__findMessage"],
  ["add a new employee", "identity__create_user"],
  ["block somebody's account", "identity__deactivate_user"],
  ["which people are in the group", "identity__list_group_users"],
  ["bill a customer", "payments__create_invoice"],
  ["give a discount code", "payments__create_coupon"],
  ["how much money is left", "payments__retrieve_balance"],
  ["settle a complaint about a charge", "payments__update_dispute"],
  ["new to-do", "tasks__create_task"],
  ["tick off a task", "tasks__toggle_task_completion"],
  ["leave a remark on the page", "pages__add_comment"],
  ["put my website live", "pages__sites_publish"],
  ["make a duplicate", "content__copy_node"],
  ["what is inside this folder", "content__list_children"],
  ["which stocks do I own", "broker__get_holdings"],
  ["buy ten shares", "broker__place_order"],
  ["list the machines of the cluster", "cluster__get_nodes"],
  ["which columns does the table have", "db__describe_table"],
  ["will it rain tomorrow", "weather__forecast"],
  ["eine E-Mail an meinen Chef schicken", "mail__sendMessage"],
  ["Rechnung für einen Kunden erstellen", "payments__create_invoice"],
  ["crear una tarea nueva", "tasks__create_task"],
  ["查看数据库中的表", "db__list_tables"],
];

const foreign: readonly (readonly [request: string, tool: string])[] = [
  ["schicke meinem Chef eine E-Mail", "mail__sendMessage"],
  ["suche die Nachricht mit der Rechnung", "mail__findMessage"],
  ["lege einen neuen Benutzer an", "identity__create_user"],
  ["zeige alle Benutzer der Gruppe", "identity__list_group_users"],
  ["schreib dem Kunden eine Rechnung", "payments__create_invoice"],
  ["neue Aufgabe eintragen", "tasks__create_task"],
  ["kommentiere die Seite", "pages__add_comment"],
  ["lade die Datei hoch", "content__upload_file"],
  ["kaufe zehn Aktien", "broker__place_order"],
  ["storniere die Bestellung", "broker__cancel_order"],
  ["welche Tabellen hat die Datenbank", "db__list_tables"],
  ["wie wird das Wetter morgen", "weather__forecast"],
  ["отправь письмо начальнику", "mail__sendMessage"],
  ["найди сообщение со счётом", "mail__findMessage"],
  ["создай нового пользователя", "identity__create_user"],
  ["покажи пользователей группы", "identity__list_group_users"],
  ["выставить счёт клиенту", "payments__create_invoice"],
  ["добавь новую задачу", "tasks__create_task"],
  ["оставь комментарий на странице", "pages__add_comment"],
  ["загрузи файл", "content__upload_file"],
  ["купить десять акций", "broker__place_order"],
  ["отмени заказ", "broker__cancel_order"],
  ["какие таблицы есть в базе данных", "db__list_tables"],
  ["какая завтра погода", "weather__forecast"],
];

test("everyday sentences find their tool among five in at least 85 % of the cases", () => {
  const missed = missedOf(requests);
  expect(missed.length, JSON.stringify(missed)).toBeLessThanOrEqual(requests.length * 0.15);
});

test("German and Russian sentences, in the forms that people write, find their tool among five in at least 85 % of the cases", () => {
  const missed = missedOf(foreign);
  expect(missed.length, JSON.stringify(missed)).toBeLessThanOrEqual(foreign.length * 0.15);
});

function missedOf(sentences: typeof requests) {
  const index = new ToolIndex();
  for (const [source = "", name = "", description = ""] of tools) {
    const text: ToolText = { name, title: "", description, parameters: "", parameterTexts: "", source };
    index.put(`${source}__${name}`, text);
  }
  return sentences.filter(([request, tool]) => !index.search(request, 5, () => true).some(({ name }) => name === tool));
}
