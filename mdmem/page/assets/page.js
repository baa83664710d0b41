// Keys, copy buttons and a live filter. Every page works without it.
"use strict";
(() => {
  const all = (selector, inside = document) => [...inside.querySelectorAll(selector)];
  const items = () => all("[data-item]").filter((item) => !item.hidden);
  let here = null;

  const goTo = (item) => {
    if (!item) return;
    if (here) here.classList.remove("here");
    here = item;
    here.classList.add("here");
    here.scrollIntoView({ block: "nearest" });
    const inside = here.querySelector("a[href], button, summary");
    if (inside) inside.focus({ preventScroll: true });
  };
  const step = (by) => {
    const list = items();
    const at = list.indexOf(here);
    goTo(list[at < 0 ? (by > 0 ? 0 : list.length - 1) : Math.min(Math.max(at + by, 0), list.length - 1)]);
  };
  // The button of the chosen item, else one of the whole page; the first press chooses an item.
  const press = (key) => {
    const buttons = all(`[data-key="${key}"]`);
    const own = here && buttons.find((button) => here.contains(button));
    const button = own || buttons.find((each) => !each.closest("[data-item]")) || (here ? null : buttons[0]);
    if (!button) return;
    const item = button.closest("[data-item]");
    if (item && item !== here) goTo(item);
    else button.click();
  };

  const isTyping = (target) => /^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName) || target.isContentEditable;
  document.addEventListener("keydown", (event) => {
    if ((event.ctrlKey || event.metaKey) && event.key === "Enter") {
      event.target.closest("form")?.querySelector("[data-save]")?.click();
      return;
    }
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (isTyping(event.target)) {
      if (event.key === "Escape") event.target.blur();
      return;
    }
    if (event.key === "j") step(1);
    else if (event.key === "k") step(-1);
    else if ("adenpru+-".includes(event.key)) press(event.key);
    else if (event.key === "/") {
      const search = document.querySelector("[data-live]") || document.querySelector('[type="search"]');
      if (!search) return;
      event.preventDefault();
      search.focus();
    }
  });

  // A part of the page that an address or a form would show, put in place of the same part here.
  let asked = 0;
  const renew = async (id, address, options) => {
    const mine = ++asked;
    const answer = await fetch(address, options).catch(() => null);
    if (!answer || !answer.ok || mine !== asked) return;
    const page = new DOMParser().parseFromString(await answer.text(), "text/html");
    const [here, there] = [document.getElementById(id), page.getElementById(id)];
    if (here && there && mine === asked) here.replaceWith(document.adoptNode(there));
  };
  const later = (wait, act) => {
    let timer = 0;
    return () => { clearTimeout(timer); timer = setTimeout(act, wait); };
  };

  for (const field of all("[data-live]")) {
    field.addEventListener("input", later(200, () => {
      const words = field.value.trim();
      const address = words ? `${field.form.action}?${new URLSearchParams(new FormData(field.form))}` : field.dataset.empty;
      if (address) renew(field.dataset.live, address);
    }));
  }

  for (const text of all("[data-preview]")) {
    const form = text.closest("form");
    text.addEventListener("input", later(350, () => {
      const sent = new URLSearchParams([["do", "preview"], ["body", text.value], ["base", form.elements.base?.value || ""]]);
      renew(text.dataset.preview, form.action, { method: "POST", body: sent });
    }));
  }

  for (const text of all("[data-drop]")) {
    all("[data-drop-hint]").forEach((hint) => { hint.hidden = false; });
    text.addEventListener("dragover", (event) => event.preventDefault());
    text.addEventListener("drop", async (event) => {
      const file = event.dataTransfer.files[0];
      if (!file) return;
      event.preventDefault();
      text.value = await file.text();
    });
  }

  for (const place of navigator.clipboard ? all("[data-copy]") : []) {
    const button = document.createElement("button");
    button.type = "button";
    button.className = "copy";
    button.textContent = "Copy";
    button.setAttribute("aria-label", `Copy ${place.dataset.copy}`);
    button.addEventListener("click", async () => {
      await navigator.clipboard.writeText(place.dataset.copy);
      button.textContent = "Copied";
      setTimeout(() => { button.textContent = "Copy"; }, 1500);
    });
    place.append(button);
  }

  // Show the progress of a plan in the making. When it is done, say so: a page never changes under somebody who reads.
  for (const place of all("[data-watch]")) {
    const done = place.querySelector("[data-done]");
    const look = async () => {
      const answer = await fetch(place.dataset.watch).catch(() => null);
      if (!answer || !answer.ok) return;
      const { planning } = await answer.json();
      if (planning) {
        if (done) done.textContent = planning.done;
        setTimeout(look, 3000);
      } else {
        place.setAttribute("role", "status");
        place.querySelector("p").textContent = "The gardeners have looked at everything again.";
      }
    };
    setTimeout(look, 1500);
  }

  // What is wider than a screen begins where it matters: the navigation at this page, a drawing at its centre.
  for (const link of all("nav [aria-current]")) {
    const nav = link.closest("nav");
    nav.scrollLeft = link.offsetLeft - nav.offsetLeft - (nav.clientWidth - link.offsetWidth) / 2;
  }
  for (const root of all("svg.graph .root circle")) {
    const box = root.closest(".scroll");
    box.scrollLeft = root.getBoundingClientRect().left - box.getBoundingClientRect().left - box.clientWidth / 2;
  }

  // The wheel makes a drawing larger around the pointer, dragging moves it, and a double click shows all of it again.
  for (const drawing of all("svg.graph")) {
    const [whole, widest] = [drawing.getAttribute("viewBox"), drawing.viewBox.baseVal.width];
    const show = (x, y, width, height) => drawing.setAttribute("viewBox", [x, y, width, height].join(" "));
    const at = (event) => new DOMPoint(event.clientX, event.clientY).matrixTransform(drawing.getScreenCTM().inverse());
    let held = null;
    drawing.addEventListener("wheel", (event) => {
      const { x, y, width, height } = drawing.viewBox.baseVal;
      const by = Math.min(Math.exp(event.deltaY / 500), widest / width);
      if (width * by < widest / 12 || by === 1) return;
      event.preventDefault();
      const point = at(event);
      show(point.x - (point.x - x) * by, point.y - (point.y - y) * by, width * by, height * by);
    }, { passive: false });
    drawing.addEventListener("pointerdown", (event) => { if (event.button === 0) held = [at(event), event]; });
    drawing.addEventListener("pointermove", (event) => {
      if (!held || !event.buttons) return;
      const { x, y, width, height } = drawing.viewBox.baseVal;
      const [from, point] = [held[0], at(event)];
      show(x + from.x - point.x, y + from.y - point.y, width, height);
    });
    drawing.addEventListener("dragstart", (event) => event.preventDefault());
    drawing.addEventListener("click", (event) => {
      if (held && Math.hypot(event.clientX - held[1].clientX, event.clientY - held[1].clientY) > 3) event.preventDefault();
      held = null;
    });
    drawing.addEventListener("dblclick", () => drawing.setAttribute("viewBox", whole));
  }

  for (const range of all('input[type="range"][data-words]')) {
    const told = document.getElementById(range.dataset.words);
    const labels = JSON.parse(range.dataset.labels || "[]");
    range.addEventListener("input", () => { if (told) told.textContent = labels[range.value - 1] || range.value; });
  }
})();
