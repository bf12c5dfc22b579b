"use strict";
// What lives on a report: words are tried, and the merging is shown step by step. All that it
// needs is in the page.
(() => {
  const data = JSON.parse(document.getElementById("data").textContent);
  const words = document.getElementById("words");
  if (words) {
    const field = words.querySelector("input"), path = words.querySelector(".path"), verdict = words.querySelector(".verdict");
    const number = new Map(data.symbols.map((name, i) => [name, i]));
    const short = data.symbols.every(name => [...name].length === 1);
    const name = q => q === 0 ? "∅" : "q" + (q - 1);
    // The symbols of a word: apart by spaces, or one character each.
    const read = text => /\s/.test(text.trim()) || !short ? text.trim().split(/\s+/).filter(Boolean) : [...text.trim()];
    // The network's answer, if it was asked about the word: the sample is a tree.
    const asked = word => {
      let node = 0;
      for (const s of word) {
        node = data.tree ? data.tree.parent.findIndex((p, i) => p === node && data.tree.on[i] === s) : -1;
        if (node < 0) return null;
      }
      return data.tree ? data.tree.accept[node] : null;
    };
    const mark = (q, edge) => {
      for (const e of document.querySelectorAll("#automaton .now")) e.classList.remove("now");
      if (q) document.querySelectorAll(`#automaton [data-state="${q}"]`).forEach(e => e.classList.add("now"));
      if (edge) document.querySelectorAll(`#automaton [data-from="${edge[0]}"][data-to="${edge[1]}"]`).forEach(e => e.classList.add("now"));
    };
    const run = () => {
      const symbols = read(field.value), unknown = symbols.find(s => !number.has(s));
      path.textContent = "";
      if (unknown !== undefined) {
        verdict.textContent = `${unknown} is no symbol of the automaton; these are: ${data.symbols.slice(0, 80).join(" ")}`;
        verdict.className = "verdict bad";
        return mark(0);
      }
      const word = symbols.map(s => number.get(s));
      let q = data.start, edge = null;
      const step = (text, state) => {
        const item = document.createElement("li");
        item.textContent = text;
        if (state) item.dataset.accept = data.accept[state];
        path.append(item);
      };
      step(name(q), q);
      for (const [i, s] of word.entries()) {
        const to = q === 0 ? 0 : data.next[q - 1][s];
        edge = [q, to];
        step(`${symbols[i]} → ${name(to)}`, to);
        q = to;
      }
      const accepts = q !== 0 && data.accept[q], network = asked(word);
      verdict.textContent = `The automaton ${accepts ? "accepts" : "rejects"} ${symbols.length ? symbols.join(short ? "" : " ") : "the empty word"}. ` +
        (network === null ? "The network is not here to be asked, and this word is not in the sample." :
          network === accepts ? `So does the network, which was asked.` : `The network, which was asked, ${network ? "accepts" : "rejects"} it.`);
      verdict.className = "verdict " + (network !== null && network !== accepts ? "bad" : accepts ? "yes" : "no");
      mark(q, edge);
    };
    field.addEventListener("input", run);
    for (const b of words.querySelectorAll("button")) b.addEventListener("click", () => { field.value = b.dataset.word; run(); });
    run();
    words.hidden = false;
  }
  const film = document.getElementById("film");
  if (film) {
    const frames = [...film.querySelectorAll(".frame")], range = film.querySelector("input"), play = film.querySelector(".play");
    const caption = film.querySelector(".step");
    let timer = 0;
    const show = k => {
      frames.forEach((f, i) => { f.hidden = i !== k; });
      range.value = k;
      caption.textContent = frames[k].dataset.caption;
    };
    const stop = () => { clearInterval(timer); timer = 0; play.textContent = "Play"; };
    const move = by => { stop(); show(Math.min(Math.max(+range.value + by, 0), frames.length - 1)); };
    range.max = frames.length - 1;
    range.addEventListener("input", () => move(0));
    film.querySelector(".back").addEventListener("click", () => move(-1));
    film.querySelector(".on").addEventListener("click", () => move(1));
    play.addEventListener("click", () => {
      if (timer) return stop();
      if (+range.value === frames.length - 1) show(0);
      play.textContent = "Pause";
      timer = setInterval(() => {
        show(+range.value + 1);
        if (+range.value === frames.length - 1) stop();
      }, 700);
    });
    show(0);
    film.querySelector(".controls").hidden = false;
  }
})();
