import { useEffect } from "react";

const prefix = /^\(\d+\+?\) /;

/** Puts a number before the title of the window, "(2) Approvals", and back after every page that sets its own. */
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
