import { useEffect } from "react";

const prefix = /^\(\d+\+?\) /;

/** Prefixes the window's title with a number, "(2) Approvals", and repeats that when a page sets its own title. */
export function useCountInTitle(count: number) {
  useEffect(() => {
    const write = () => {
      const bare = document.title.replace(prefix, "");
      const wanted = count > 0 ? `(${count > 99 ? "99+" : count}) ${bare}` : bare;
      if (document.title !== wanted) document.title = wanted;
    };
    write();
    const observer = new MutationObserver(write);
    observer.observe(document.head, { childList: true, subtree: true, characterData: true });
    return () => observer.disconnect();
  }, [count]);
}
