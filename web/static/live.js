// Live rows. The server's event stream names what changed; the page then asks for
// its rows as they are now and patches them in place, without taking the focus
// and without moving the row one points at. Where no stream can be had (too many
// tabs, a proxy that holds it back) the page asks every 15 seconds instead.
(function () {
  "use strict";
  var body = document.body;
  if (!body.dataset.events || !window.EventSource || !window.fetch) return;
  var $ = function (s, r) { return (r || document).querySelector(s); };
  var cursor = body.dataset.cursor, source = null, heard = 0, tried = 0, asked = Date.now(), hiddenAt = 0;

  function state(name) {
    var el = $("#live-state");
    if (!el || el.dataset.is === name) return;
    el.dataset.is = name;
    el.textContent = el.dataset[name];
  }

  // The stream.
  function open() {
    close();
    tried = Date.now();
    source = new EventSource(body.dataset.events + "?after=" + encodeURIComponent(cursor));
    source.onopen = function () { heard = Date.now(); state("live"); };
    source.addEventListener("beat", function (e) { heard = Date.now(); cursor = e.lastEventId || cursor; });
    source.addEventListener("changed", function (e) {
      heard = Date.now();
      cursor = e.lastEventId || cursor;
      changed(JSON.parse(e.data));
    });
    source.onerror = function () { state(source && source.readyState === EventSource.CLOSED ? "poll" : "lost"); };
  }
  function close() { if (source) source.close(); source = null; }

  // Every 5 seconds: is the stream alive, or must the page ask by itself?
  window.setInterval(function () {
    var now = Date.now();
    if (document.hidden) { if (source && now - hiddenAt > 30000) close(); return; }
    var alive = source && source.readyState !== EventSource.CLOSED && now - heard < 45000;
    if (alive) return;
    if (now - asked > 15000) { state("poll"); refresh(); }
    if (now - tried > 60000 || (source && source.readyState === EventSource.CONNECTING && now - tried > 20000)) open();
  }, 5000);
  document.addEventListener("visibilitychange", function () {
    if (document.hidden) { hiddenAt = Date.now(); return; }
    if (!source || source.readyState === EventSource.CLOSED) open();
    refresh();
  });
  window.addEventListener("pagehide", close);
  window.addEventListener("pageshow", function (e) { if (e.persisted) { open(); refresh(); } });

  var soon = 0;
  function changed(news) {
    badge("queue", news.queue);
    badge("notice", news.open_notices);
    var shown = $("[data-card]"), other = shown && (news.cards || []).find(function (c) { return c.id === shown.dataset.card; });
    if (other && other.version > Number(shown.dataset.version)) moved("");
    if (!soon) soon = window.setTimeout(function () { soon = 0; refresh(); }, 150);
  }
  function badge(name, n) {
    var b = $("[data-nav=" + name + "]");
    if (b) { b.textContent = n; b.hidden = !n; }
  }

  // A card that somebody else changed is not redrawn under the hand: it says so.
  function moved(why) {
    var el = $("#moved");
    if (!el) return;
    if (why) $("span", el).textContent = why;
    el.hidden = false;
  }

  // The holder's lock is renewed while the page is open.
  var held = $("[data-renew]"), renewed = Date.now();
  function renew() {
    renewed = Date.now();
    fetch(held.dataset.renew, { method: "POST", headers: { "X-Requested-With": "live" }, credentials: "same-origin" }).then(function (r) {
      if (r.ok) return r.text().then(function (until) { var el = $("#until"); if (el && until) el.textContent = until; });
      if (r.status === 409 || r.status === 422 || r.status === 403) { held = null; moved($("#moved").dataset.lost); }
    }).catch(function () { renewed = Date.now() - 210000; }); // the network: again in half a minute
  }
  window.setInterval(function () { if (held && Date.now() - renewed > 240000) renew(); }, 10000);
  document.addEventListener("visibilitychange", function () { if (held && !document.hidden && Date.now() - renewed > 60000) renew(); });

  // Asking for the rows, one question at a time.
  var busy = false, again = false;
  function refresh() {
    var live = $("#live");
    asked = Date.now();
    if (!live) return;
    if (busy) { again = true; return; }
    busy = true;
    fetch(live.dataset.live, { headers: { "X-Requested-With": "live" }, credentials: "same-origin" }).then(function (r) {
      var next = r.headers.get("X-Location");
      if (next) { window.location.assign(next); return; }
      if (r.status !== 200) return;
      return r.text().then(function (html) { patch(new DOMParser().parseFromString(html, "text/html")); });
    }).catch(function () { state("lost"); }).finally(function () {
      busy = false;
      if (again) { again = false; refresh(); }
    });
  }

  function rows(list) { return Array.prototype.slice.call(list.rows); }
  function copy(node) { return document.importNode(node, true); }

  // The row one points at or works in. Its place on the screen is kept. A finger
  // points at nothing once it is lifted, whatever :hover says.
  var mouse = false;
  document.addEventListener("pointermove", function (e) { mouse = e.pointerType === "mouse"; }, { passive: true });
  function pinned(list) { return $("tr:focus-within", list) || (mouse && $("tr:hover", list)) || null; }

  function patch(doc) {
    var live = $("#live"), fresh = $("#live", doc);
    if (!fresh) return;
    live.dataset.live = fresh.dataset.live;
    doc.querySelectorAll("[data-count],[data-nav]").forEach(function (n) {
      var name = n.dataset.count ? "[data-count='" + n.dataset.count + "']" : "[data-nav='" + n.dataset.nav + "']", mine = $(name);
      if (mine) { mine.textContent = n.textContent; mine.hidden = n.hidden; }
    });
    var list = $("[data-rows]", live), next = $("[data-rows]", fresh);
    if (list && next) { say(merge(list, next)); return; }
    if (live.innerHTML === fresh.innerHTML || live.contains(document.activeElement)) return;
    live.replaceChildren.apply(live, Array.prototype.map.call(fresh.childNodes, copy));
    say({ added: next ? next.rows.length : 0, changed: 0, gone: 0 });
  }

  function merge(list, next) {
    var pin = pinned(list), before = pin && pin.getBoundingClientRect().top, said = { added: 0, changed: 0, gone: 0 };
    var wanted = {}, past = !pin;
    rows(next).forEach(function (r) { wanted[r.id] = r; });
    rows(list).forEach(function (r) {
      if (wanted[r.id]) { if (update(r, wanted[r.id])) said.changed++; if (r === pin) past = true; return; }
      if (!r.classList.contains("gone")) said.gone++;
      // A row above the hand, or under it, stays as a shadow until the hand is away.
      if (past && r !== pin) r.remove(); else shadow(r, list.dataset.gone);
      if (r === pin) past = true;
    });
    said.added = place(list, next, pin);
    if (pin) hold(pin, before);
    document.dispatchEvent(new CustomEvent("rows"));
    return said;
  }

  // Cells change one by one: the one that has the focus keeps it.
  function update(row, want) {
    var did = false;
    row.classList.remove("gone");
    for (var i = 0; i < want.cells.length; i++) {
      var a = row.cells[i], b = want.cells[i];
      if (!a || a.contains(document.activeElement) || $("input:checked", a)) continue;
      if (a.innerHTML === b.innerHTML && a.className === b.className) continue;
      a.className = b.className;
      a.title = b.title;
      a.replaceChildren.apply(a, Array.prototype.map.call(b.childNodes, copy));
      did = true;
    }
    if (did) row.classList.add("fresh");
    return did;
  }
  function shadow(row, text) { row.classList.add("gone"); row.title = text; }

  // Rows in the new order. The pinned row stays where it is in the document (one
  // that is moved loses the focus): the others are lined up around it.
  function place(list, next, pin) {
    var wanted = rows(next), at = pin ? wanted.findIndex(function (r) { return r.id === pin.id; }) : -1;
    if (at < 0) return lineUp(list, wanted, null, null);
    return lineUp(list, wanted.slice(0, at), null, pin) + lineUp(list, wanted.slice(at + 1), pin, null);
  }
  function lineUp(list, wanted, after, end) {
    var added = 0, at = after ? after.nextElementSibling : list.rows[0] || null;
    wanted.forEach(function (want) {
      while (at && at !== end && at.classList.contains("gone")) at = at.nextElementSibling;
      var mine = document.getElementById(want.id);
      if (!mine) { mine = copy(want); mine.classList.add("fresh"); added++; }
      if (mine === at) at = at.nextElementSibling; else list.insertBefore(mine, at || end);
    });
    return added;
  }

  // The page scrolls by what the row moved, and grows where it is too short for that.
  function hold(row, before) {
    var off = function () { return row.getBoundingClientRect().top - before; };
    var scroll = function () { window.scrollBy({ top: off(), behavior: "instant" }); };
    if (!off()) return;
    scroll();
    if (off() <= 0) return;
    var room = $("#room") || body.appendChild(document.createElement("div"));
    room.id = "room";
    room.style.height = (room.offsetHeight + Math.ceil(off())) + "px";
    scroll();
  }

  // What happened, for those who do not see it. Not more often than it can be heard.
  var heap = { added: 0, changed: 0, gone: 0 }, saying = 0;
  function say(what) {
    ["added", "changed", "gone"].forEach(function (k) { heap[k] += what[k]; });
    if (saying || !(heap.added + heap.changed + heap.gone)) return;
    saying = window.setTimeout(function () {
      var el = $("#announce"), parts = [];
      [["added", "new"], ["changed", "changed"], ["gone", "gone"]].forEach(function (p) {
        if (heap[p[0]]) parts.push(el.dataset[p[1]].replace("{0}", heap[p[0]]));
      });
      el.textContent = parts.join(", ");
      heap = { added: 0, changed: 0, gone: 0 };
      saying = 0;
    }, 1000);
  }

  if (!document.hidden) open(); else hiddenAt = Date.now();
})();
