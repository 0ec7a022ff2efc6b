"use strict";
(function () {
  const tools = document.getElementById("tools");
  const claims = Array.from(document.querySelectorAll("article"));
  const fields = { verdict: "f-verdict", kind: "f-kind", section: "f-section" };
  const search = document.getElementById("f-text"), shown = document.getElementById("f-shown");
  const texts = new Map();  // what a search looks through, put together when it is first asked for
  const element = (name) => document.getElementById(fields[name]);

  function text(claim) {
    if (!texts.has(claim)) texts.set(claim, claim.textContent.toLowerCase());
    return texts.get(claim);
  }

  function apply() {
    const words = search.value.toLowerCase().split(/\s+/).filter(Boolean);
    let count = 0;
    for (const claim of claims) {
      const fits = Object.keys(fields).every((n) => !element(n).value || claim.dataset[n] === element(n).value)
        && words.every((word) => text(claim).includes(word));
      claim.hidden = !fits;
      count += fits;
    }
    shown.textContent = count + " of " + claims.length;
  }

  function clear() {
    for (const name of Object.keys(fields)) element(name).value = "";
    search.value = "";
    apply();
  }

  function follow() {  // a link to a claim that a filter hides shows it
    const claim = document.getElementById(decodeURIComponent(location.hash.slice(1)));
    if (claim && claim.hidden) { clear(); claim.scrollIntoView(); }
  }

  for (const name of Object.keys(fields)) element(name).addEventListener("change", apply);
  search.addEventListener("input", apply);
  document.getElementById("f-clear").addEventListener("click", clear);
  window.addEventListener("hashchange", follow);
  document.addEventListener("keydown", (event) => {
    if (event.key === "/" && !["INPUT", "SELECT"].includes(document.activeElement.tagName)) {
      event.preventDefault();
      search.focus();
    } else if (event.key === "Escape") {
      clear();
      search.blur();
    }
  });
  tools.hidden = false;
  apply();
  follow();
})();
