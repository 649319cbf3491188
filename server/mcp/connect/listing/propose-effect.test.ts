import { describe, expect, test } from "vitest";
import type { ToolEffect } from "@/contracts/tools/tools";
import { proposeEffect } from "./propose-effect";

const propose = (rawName: string, description = "", properties = {}, annotations = {}, effect: ToolEffect = "destroy") =>
  proposeEffect({ rawName, description, inputSchema: { type: "object", properties }, annotations, effect });

test.each([
  ["get_weather", "", "read", "its name says “get”"],
  ["listOpenPRs", "", "read", "its name says “list”"],
  ["create-issue", "", "write", "its name says “create”"],
  ["delete_file", "", "destroy", "its name says “delete”"],
  ["list_deleted_items", "", "read", "its name says “list”"],
  ["search_and_replace", "", "write", "its name says “replace”"],
  ["browser_click", "", "write", "its name says “click”"],
  ["unprotect", "Removes the password of a document.", "destroy", "its description says “removes”"],
  ["leaderboard", "Retrieves the leaderboard.", "read", "its description says “retrieves”"],
  ["current_time", "", "read", "its name is about time"],
] as const)("%s is proposed by its words: %s %s", (name, description, effect, because) => {
  expect(propose(name, description)).toEqual({ effect, because, isKnown: true });
});

test.each([
  ["nuke_history", "Nukes the whole history", {}, "destroy"],
  ["check_out", "Checks out the cart and charges the card", {}, "write"],
  ["get_rid_of_user", "Gets rid of a user", {}, "destroy"],
  ["stats_reset", "", {}, "destroy"],
  ["quote_accept", "Accepts a quote, which is binding", {}, "write"],
  ["fax_report", "Faxes the report to a number", {}, "write"],
  ["view_and_burn", "Shows the secret once", {}, "destroy"],
  ["search_documents", "Searches. Results are deleted from the queue after reading.", {}, "destroy"],
  ["exec_shell", "Executes any command without changing the working folder", { command: {} }, "destroy"],
  ["run_sql", "Runs SQL. Does not modify the connection settings.", { sql: {} }, "destroy"],
] as const)("%s is not proposed as one that reads: %s", (name, description, properties, effect) => {
  expect(propose(name, description, properties)).toMatchObject({ effect, isKnown: true });
});

test.each([
  ["report_abuse", "Reports a user for abuse"],
  ["rate_driver", "Rates a driver with stars"],
])("%s has a subject that is read and a word that may be a verb, so that nothing is known of it", (name, description) => {
  expect(propose(name, description)).toMatchObject({ effect: "destroy", isKnown: false });
});

describe("a tool of which nothing is known is proposed as it counts today, and says so", () => {
  test.each(["destroy", "write", "read"] as const)("%s", (effect) => {
    const unknown = { effect, because: "nothing is known of it", isKnown: false };
    for (const name of ["gadget", "x1", "tool_7", "wurstel"]) expect(propose(name, "", {}, {}, effect)).toEqual(unknown);
    expect(propose("gadget", "A gadget.", {}, {}, effect)).toMatchObject({ effect, isKnown: false });
  });
});

test.each([
  ["löschen", "", "destroy"],
  ["datei_loeschen", "", "destroy"],
  ["kunden_suchen", "", "read"],
  ["gadget", "Legt einen Termin im Kalender an.", "write"],
  ["gadget", "Datei unwiderruflich löschen", "destroy"],
  ["удалить_файл", "", "destroy"],
  ["gadget", "Получает список заказов.", "read"],
  ["gadget", "Отправляет письмо клиенту", "write"],
  ["eliminar_cliente", "", "destroy"],
  ["gadget", "Busca facturas por cliente.", "read"],
  ["crear_y_borrar", "", "destroy"],
  ["supprimer_fichier", "", "destroy"],
  ["gadget", "Affiche la météo.", "read"],
  ["gadget", "Envoie un message à l'équipe.", "write"],
  ["删除文件", "", "destroy"],
  ["gadget", "查询当前天气", "read"],
  ["gadget", "发送邮件给客户", "write"],
  ["gadget", "ファイルを削除する", "destroy"],
  ["gadget", "天気を検索します", "read"],
  ["gadget", "メールを送信します。", "write"],
  ["current_time", "当前时间", "read"],
] as const)("a verb of another language counts: %s %s", (name, description, effect) => {
  expect(propose(name, description)).toMatchObject({ effect, isKnown: true });
});

test.each([
  ["tidy", "This tool permanently deletes old branches.", "destroy"],
  ["tidy", "Use this tool to create a page.", "write"],
  ["tidy", "Fetches the page and removes it from the queue.", "destroy"],
  ["get_lock", "Gets the lock. Deletes the lock of anybody else.", "destroy"],
  ["save_page", "Saves a page. An existing one is kept, it does not overwrite anything.", "write"],
  ["save_page", "Saves a page. This overwrites an existing one.", "destroy"],
  ["search_notes", "Run a full-text search.", "read"],
  ["get_ticket", "Creates a ticket when there is none.", "write"],
  ["get_page", "Gets a page. Use it before you create or delete one.", "read"],
  ["deploy", "Deploys the app. This action cannot be undone.", "destroy"],
] as const)("an English description is read by its sentences: %s, %s", (name, description, effect) => {
  expect(propose(name, description)).toMatchObject({ effect, isKnown: true });
});

test("a tool that takes a program may do anything, unless it says that it only reads", () => {
  expect(propose("query", "Runs SQL.", { sql: {} })).toMatchObject({ effect: "destroy", because: "its parameter sql takes a program" });
  expect(propose("query", "Run a read-only SQL query.", { sql: {} })).toMatchObject({ effect: "read" });
  expect(propose("run_query", "Runs read-only SQL.", { sql: {} })).toMatchObject({ effect: "write" });
});

test("a server's word makes a proposal stricter, and never milder than the name", () => {
  expect(propose("get_it", "", {}, { destructiveHint: true })).toMatchObject({ effect: "destroy" });
  expect(propose("delete_it", "", {}, { readOnlyHint: true })).toMatchObject({ effect: "destroy" });
  expect(propose("gadget", "", {}, { readOnlyHint: true })).toMatchObject({ effect: "read" });
  expect(propose("gadget", "", {}, { destructiveHint: false }, "write")).toMatchObject({ effect: "write" });
});
