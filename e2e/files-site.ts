import { createServer, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";

export type ReceivedFile = { name: string; type: string; bytes: Uint8Array };
export type FilesSite = {
  /** `127.0.0.1:port`, the host that a rule allows. */
  host: string;
  url: (path: string) => string;
  /** The files that each submitted form brought, in order. */
  received: ReceivedFile[][];
  close: () => void;
};

/** Entries of the endless list. */
export const listed = 60;
const entriesAtOnce = 10;

const page = (title: string, body: string): string => `<!doctype html><meta charset="utf-8"><title>${title}</title>${body}`;

const formPage = page(
  "Papers",
  `<form method="post" action="/received" enctype="multipart/form-data">
     <label>Papers <input type="file" name="papers" multiple></label> <button>Send</button></form>`,
);

const linksPage = page("Exports", `<a href="/export?id=7">Export</a>`);

/** A list that asks for its next entries when its end comes into view; its first entries fill more than a screen. */
const listPage = page(
  "Entries",
  `<style>li { height: 120px; overflow: hidden }</style><ul id="list"></ul><p id="end">Loading</p><script>
     let count = 0;
     new IntersectionObserver(async ([{ isIntersecting }]) => {
       if (!isIntersecting) return;
       for (const text of await (await fetch("/entries?from=" + count)).json()) {
         list.append(Object.assign(document.createElement("li"), { textContent: text }));
         count += 1;
       }
     }).observe(end);
   </script>`,
);

/** Starts a site with a form for files, a download, and a list that loads more at its end. */
export async function startFilesSite(download: { name: string; type: string; bytes: Uint8Array }): Promise<FilesSite> {
  const received: ReceivedFile[][] = [];
  const server = createServer(async (request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? "/", "http://site");
    const html = (text: string) => void response.writeHead(200, { "content-type": "text/html; charset=utf-8" }).end(text);
    if (pathname === "/form") return html(formPage);
    if (pathname === "/links") return html(linksPage);
    if (pathname === "/list") return html(listPage);
    if (pathname === "/received") {
      const files = await filesOf(request);
      received.push(files);
      return html(page("Received", `<p>Received ${files.map(({ name }) => name).join(" and ")}.</p>`));
    }
    if (pathname === "/export") {
      const headers = { "content-type": download.type, "content-disposition": `attachment; filename="${download.name}"` };
      return void response.writeHead(200, headers).end(download.bytes);
    }
    if (pathname !== "/entries") return void response.writeHead(404).end("not found");
    const from = Number(searchParams.get("from"));
    const entries = Array.from({ length: Math.min(entriesAtOnce, listed - from) }, (_none, at) => entry(from + at + 1));
    return void response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(entries));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    host,
    url: (path) => `http://${host}${path}`,
    received,
    close: () => {
      server.close();
      server.closeAllConnections();
    },
  };
}

/** Long entries, because a short list would fit into one result. */
const entry = (number: number): string => `Item ${number} of the list. ${"It has a long description. ".repeat(15)}`;

async function filesOf(request: IncomingMessage): Promise<ReceivedFile[]> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of request) chunks.push(chunk as Uint8Array);
  const headers = { "content-type": request.headers["content-type"] ?? "" };
  const form = await new Response(Buffer.concat(chunks), { headers }).formData();
  const files = form.getAll("papers").filter((value) => typeof value !== "string");
  return Promise.all(files.map(async (file) => ({ name: file.name, type: file.type, bytes: new Uint8Array(await file.arrayBuffer()) })));
}
