"use strict";
// Single keys: an element with data-key="m" is clicked or focused by m, one with data-go="b" by g and then b. They do
// nothing in text fields, and may be switched off (body without data-keys).
(() => {
  let afterG = 0;
  const typing = (e) => e.closest("input:not([type=radio]):not([type=checkbox]), textarea, select, [contenteditable]");
  const use = (e) => {
    if (!e) return false;
    if (e.matches("input[type=search], input[type=text]")) { e.focus(); e.select(); } else e.click();
    return true;
  };
  // In a list j and k go from row to row; Enter then opens the row's first link.
  const walk = (step) => {
    const rows = [...document.querySelectorAll("main tbody tr")].map((row) => row.querySelector("a[href]")).filter(Boolean);
    const row = step && rows[rows.indexOf(document.activeElement) + step];
    row?.focus();
    return Boolean(row);
  };
  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || !("keys" in document.body.dataset)) return;
    if (typing(event.target)) {
      if (event.key === "Escape") event.target.blur();
      return;
    }
    if (document.querySelector("dialog[open]")) return;
    let did = false;
    if (event.timeStamp - afterG < 1500 && afterG) {
      did = use(document.querySelector(`[data-go="${CSS.escape(event.key)}"]`));
      afterG = 0;
    } else if (event.key === "g") {
      afterG = event.timeStamp;
    } else if (event.key === "?") {
      document.getElementById("keys")?.showModal();
      did = true;
    } else if (event.key === "Enter" ? !event.target.closest("a, button, input, summary") : event.key.length === 1 && event.key !== " ") {
      did = use(document.querySelector(`[data-key="${CSS.escape(event.key)}"]`)) || walk({ j: 1, k: -1 }[event.key]);
    }
    if (did) event.preventDefault();
  });

  // A button that copies a text is there with scripts alone.
  document.querySelectorAll("[data-copy]").forEach((button) => {
    button.hidden = false;
    button.addEventListener("click", () => navigator.clipboard.writeText(button.dataset.copy));
  });

  // A button that is shown disabled with its reason does nothing. A form is sent once.
  document.addEventListener("click", (event) => {
    if (event.target.closest("[aria-disabled=true]")) event.preventDefault();
  });
  document.addEventListener("submit", (event) => {
    if (event.defaultPrevented || event.target.method !== "post") return;
    if (event.target.dataset.sent) event.preventDefault();
    event.target.dataset.sent = "1";
  });
  // A page that Back shows again is loaded anew. Its forms keep their name, so that what was sent is not done twice. Without
  // scripts the name is in the link that opens the form; here it need not be, so that what people copy is the plain address.
  document.querySelectorAll("a[href*='form=']").forEach((a) => {
    const u = new URL(a.href);
    u.searchParams.delete("form");
    a.href = u;
  });
  const onces = document.querySelectorAll("input[name=once]");
  if (history.state?.once && performance.getEntriesByType("navigation")[0]?.type === "back_forward") {
    onces.forEach((o) => { o.value = history.state.once; });
  } else if (onces.length) {
    history.replaceState({ once: onces[0].value }, "");
  }
  addEventListener("pageshow", () => document.querySelectorAll("form[data-sent]").forEach((f) => delete f.dataset.sent));

  // The box in the head of a list checks all boxes of its rows.
  document.addEventListener("change", (event) => {
    const all = event.target.dataset?.all;
    if (all) document.querySelectorAll(`input[name="${CSS.escape(all)}"]`).forEach((box) => { box.checked = event.target.checked; });
    if (event.target.dataset?.submit !== undefined) event.target.form.requestSubmit();
  });

  // Typing into a field checks the choice that it belongs to.
  document.addEventListener("input", (event) => {
    const choice = document.getElementById(event.target.dataset?.checks);
    if (choice) choice.checked = true;
  });

  // A day's field is text; beside it the browser's own picker is opened, where it has one.
  document.querySelectorAll("[data-pick]").forEach((button) => {
    const field = document.getElementById(button.dataset.pick), picker = document.createElement("input");
    picker.type = button.dataset.kind;
    if (picker.type !== button.dataset.kind || !picker.showPicker || field.readOnly) return;
    picker.tabIndex = -1;
    picker.ariaHidden = "true";
    button.before(picker);
    button.hidden = false;
    button.addEventListener("click", () => {
      picker.value = field.value.trim().split(".").reverse().map((part) => part.padStart(2, "0")).join("-");
      picker.showPicker();
    });
    picker.addEventListener("change", () => {
      field.value = picker.value.split("-").reverse().join(".");
      field.dispatchEvent(new Event("input", { bubbles: true }));
      field.focus();
    });
  });

  // While an organisation number is typed, its check digit is reckoned (modulus 11). The server decides.
  document.querySelectorAll("[data-wrong]").forEach((said) => {
    const field = document.getElementById(said.htmlFor.value);
    field.addEventListener("input", () => {
      const digits = field.value.replace(/\s/g, "");
      const sum = [3, 2, 7, 6, 5, 4, 3, 2, 1].reduce((sum, weight, n) => sum + weight * digits[n], 0);
      said.textContent = digits.length < 9 || (/^\d{9}$/.test(digits) && sum % 11 === 0) ? "" : said.dataset.wrong;
    });
  });

  // What is under way is asked for each second while the tab is seen: the answer is JSON {text, value, max, done}.
  document.querySelectorAll("[data-progress]").forEach((box) => {
    const ask = async () => {
      if (document.visibilityState === "visible") {
        try {
          const answer = await fetch(box.dataset.progress, { headers: { Accept: "application/json" } });
          if (answer.ok) {
            const now = await answer.json();
            if (now.done) { location.reload(); return; }
            const bar = box.querySelector("progress");
            if (bar) { bar.max = now.max; bar.value = now.value; }
            const text = box.querySelector("[data-text]");
            if (text) text.textContent = now.text;
          }
        } catch { /* the next try may do */ }
      }
      setTimeout(ask, 1000);
    };
    setTimeout(ask, 1000);
  });

  document.querySelectorAll("[data-print]").forEach((b) => { b.hidden = false; b.addEventListener("click", () => print()); });
  document.querySelector("[autofocus]")?.focus();
})();
