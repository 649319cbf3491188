// The chat of a website. `<script async src="https://handrail.example.com/widget.js" data-messenger="id"></script>` is all that a page
// needs; a content security policy of the page has to name Handrail's address in `script-src` and `connect-src`.
(() => {
  const script = document.currentScript;
  const messenger = script?.dataset.messenger;
  if (!messenger || customElements.get("handrail-chat")) return;
  const address = `${new URL(script.src).origin}/messengers/${encodeURIComponent(messenger)}/visits`;
  const store = `handrail-chat.${messenger}`;
  const busyMs = 1_500;
  const quietMs = 6_000;

  // Rules of the page win over those of `:host` without `!important`, and the page's `html` decides how large a rem is.
  const style = `
    :host { all: initial !important; position: fixed !important; inset: auto 16px 16px auto !important; z-index: 2147483000 !important;
      color-scheme: light dark !important; font: 400 15px/1.5 system-ui, sans-serif !important; color: var(--ink) !important;
      --ink: light-dark(#1c1c22, #ececf1); --dim: light-dark(#5b5b66, #a6a6b3); --ground: light-dark(#fff, #1b1b20);
      --line: light-dark(#d9d9e0, #3a3a44); --own: light-dark(#e9e7fb, #34306b); --accent: #5b4fc7; }
    * { box-sizing: border-box; font: inherit; color: inherit; }
    [hidden] { display: none !important; }
    button { cursor: pointer; border: 0; border-radius: 8px; background: none; padding: 8px 12px; }
    :focus-visible { outline: 2px solid var(--accent); outline-offset: 2px; }
    .open { background: var(--accent); color: #fff; border-radius: 32px; padding: 12px 18px; box-shadow: 0 2px 12px #0003;
      font-weight: 600; float: right; }
    .panel { display: flex; flex-direction: column; width: min(368px, calc(100vw - 32px)); height: min(544px, calc(100dvh - 32px));
      background: var(--ground); border: 1px solid var(--line); border-radius: 14px; box-shadow: 0 8px 32px #0003; overflow: hidden; }
    header { display: flex; align-items: center; justify-content: space-between; padding: 8px 8px 8px 16px;
      border-bottom: 1px solid var(--line); }
    h2 { margin: 0; font-weight: 600; overflow-wrap: anywhere; }
    .log { flex: 1; overflow-y: auto; }
    ol { margin: 0; padding: 16px; list-style: none; display: flex; flex-direction: column; gap: 10px; }
    li { max-width: 88%; white-space: pre-wrap; overflow-wrap: anywhere; align-self: flex-start; }
    li.visitor { align-self: flex-end; background: var(--own); padding: 8px 12px; border-radius: 12px; }
    li button { border: 1px solid var(--line); margin-top: 4px; text-align: start; }
    .note { color: var(--dim); font-size: 13px; margin: 0; padding: 0 16px 8px; min-height: 28px; }
    form { display: flex; gap: 8px; padding: 12px; border-top: 1px solid var(--line); align-items: end; }
    textarea { flex: 1; min-width: 0; resize: none; border: 1px solid var(--line); border-radius: 8px; background: transparent;
      padding: 8px 10px; font-size: 16px; max-height: 128px; field-sizing: content; }
    form button { background: var(--accent); color: #fff; font-weight: 600; }
    form button:disabled { opacity: 0.55; cursor: default; }`;

  const base64url = (bytes) => btoa(String.fromCharCode(...bytes)).replace(/[+/=]/g, (sign) => ({ "+": "-", "/": "_" })[sign] ?? "");

  /** The visitor's secret. A browser that keeps nothing has a new chat on each page. */
  function readVisitor() {
    const made = base64url(crypto.getRandomValues(new Uint8Array(32)));
    try {
      const kept = localStorage.getItem(store);
      if (kept && /^[\w-]{43}$/.test(kept)) return kept;
      localStorage.setItem(store, made);
    } catch {
      // Storage is off.
    }
    return made;
  }

  function make(tag, properties = {}, ...children) {
    const element = Object.assign(document.createElement(tag), properties);
    element.append(...children);
    return element;
  }

  class HandrailChat extends HTMLElement {
    visitor = readVisitor();
    tag = undefined;
    isWorking = false;
    timer = 0;
    count = 0;
    /** A message that was not taken yet keeps its key, so that it is taken once. */
    unsent = null;

    connectedCallback() {
      const root = this.attachShadow({ mode: "open" });
      const sheet = new CSSStyleSheet();
      sheet.replaceSync(style);
      root.adoptedStyleSheets = [sheet];
      this.title_ = make("h2", { textContent: "Chat", id: "title" });
      const close = make("button", { type: "button", textContent: "✕", ariaLabel: "Close the chat", onclick: () => this.show(false) });
      this.list = make("ol");
      this.log = make("div", { className: "log", ariaLabel: "Messages", role: "log", tabIndex: 0 }, this.list);
      this.note = make("p", { className: "note", role: "status" });
      this.field = make("textarea", { rows: 1, maxLength: 4_000, placeholder: "Write a message", ariaLabel: "Message" });
      this.send = make("button", { type: "submit", textContent: "Send" });
      this.form = make("form", { onsubmit: (event) => this.submit(event) }, this.field, this.send);
      this.panel = make("section", { className: "panel", role: "dialog", hidden: true }, make("header", {}, this.title_, close));
      this.panel.setAttribute("aria-labelledby", "title");
      this.panel.append(this.log, this.note, this.form);
      this.button = make("button", { type: "button", className: "open", textContent: "Chat", onclick: () => this.show(true) });
      root.append(this.panel, this.button);
      this.field.onkeydown = (event) => {
        if (event.key === "Enter" && !event.shiftKey && !event.isComposing) this.submit(event);
      };
      this.panel.onkeydown = (event) => {
        if (event.key === "Escape") this.show(false);
      };
      document.addEventListener("visibilitychange", () => this.plan());
    }

    show(isOpen) {
      this.panel.hidden = !isOpen;
      this.button.hidden = isOpen;
      (isOpen ? this.field : this.button).focus();
      if (!isOpen) this.button.textContent = "Chat";
      else this.visit();
    }

    submit(event) {
      event.preventDefault();
      const text = this.field.value.trim();
      if (text === "" || this.send.disabled) return;
      if (this.unsent?.text !== text) this.unsent = { key: crypto.randomUUID(), text };
      this.visit(this.unsent);
    }

    async visit(message) {
      clearTimeout(this.timer);
      if (message) this.send.disabled = true;
      try {
        const response = await this.post("", { tag: this.tag, ...(message ? { message } : {}) });
        if (message) {
          this.unsent = null;
          // The visitor may have written on meanwhile.
          if (this.field.value.trim() === message.text) this.field.value = "";
        }
        this.draw(await response.json());
      } catch (error) {
        if (message || !this.tag) this.note.textContent = error.shown ?? "There is no connection. Send it again in a moment.";
      }
      this.send.disabled = false;
      this.plan();
    }

    async post(path, body) {
      const sent = { method: "POST", body: JSON.stringify({ visitor: this.visitor, ...body }), credentials: "omit" };
      const response = await fetch(`${address}${path}`, sent);
      if (response.ok) return response;
      const { detail } = await response.json().catch(() => ({}));
      throw Object.assign(new Error(detail), { shown: detail ?? `The chat answered ${response.status}.` });
    }

    /** Asks again while the chat is open or an answer is on its way. */
    plan() {
      clearTimeout(this.timer);
      if (document.hidden || (this.panel.hidden && !this.isWorking)) return;
      this.timer = setTimeout(() => this.visit(), this.isWorking ? busyMs : quietMs);
    }

    draw({ title, greeting, isWorking, tag, messages }) {
      this.tag = tag;
      this.isWorking = isWorking;
      this.title_.textContent = title;
      this.note.textContent = isWorking ? "Writing …" : "";
      if (!messages) return;
      const isAtEnd = this.log.scrollHeight - this.log.scrollTop - this.log.clientHeight < 60;
      const first = greeting === "" ? [] : [{ from: "agent", text: greeting, file: null }];
      this.list.replaceChildren(...[...first, ...messages].map((message) => this.line(message)));
      if (isAtEnd) this.log.scrollTop = this.log.scrollHeight;
      const answers = messages.filter(({ from }) => from === "agent").length;
      if (this.panel.hidden && answers > this.count) this.button.textContent = "Chat: new answer";
      this.count = answers;
    }

    line({ id, from, text, file }) {
      const line = make("li", { className: from, textContent: text });
      if (file) {
        const onclick = () => this.download(id, file.name).catch((error) => this.tell(error));
        line.append(text === "" ? "" : "\n", make("button", { type: "button", textContent: `Download ${file.name}`, onclick }));
      }
      return line;
    }

    tell(error) {
      this.note.textContent = error.shown ?? "The file did not arrive. Press it again.";
    }

    async download(id, name) {
      const url = URL.createObjectURL(await (await this.post(`/files/${id}`, {})).blob());
      make("a", { href: url, download: name }).click();
      setTimeout(() => URL.revokeObjectURL(url), 60_000);
    }
  }

  customElements.define("handrail-chat", HandrailChat);
  const add = () => document.body.append(document.createElement("handrail-chat"));
  if (document.body) add();
  else document.addEventListener("DOMContentLoaded", add);
})();
