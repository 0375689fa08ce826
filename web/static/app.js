// Comfort on top of pages that work without it: dialogs, keys, row clicks.
(function () {
  "use strict";
  var $ = function (s, r) { return (r || document).querySelector(s); };
  var all = function (s, r) { return Array.prototype.slice.call((r || document).querySelectorAll(s)); };
  var dialog = $("#dialog");

  // A button or link with data-dialog shows its answer's #dialog-body here
  // instead of leaving the page. X-Location means it is done: go there. A redirect
  // leads elsewhere (to sign in): follow it.
  function show(url, options) {
    options.headers = { "X-Requested-With": "dialog" };
    options.credentials = "same-origin";
    return fetch(url, options).then(function (r) {
      var next = r.headers.get("X-Location");
      if (next) { window.location.assign(next); return; }
      if (r.redirected) { window.location.assign(r.url); return; }
      return r.text().then(function (html) {
        var doc = new DOMParser().parseFromString(html, "text/html");
        var body = $("#dialog-body", doc);
        if (!body) { window.location.reload(); return; }
        var target = $("#dialog-slot");
        target.replaceChildren(document.importNode(body, true));
        if (!dialog.open) dialog.showModal();
        var first = $("[autofocus]", target) || $("input:not([type=hidden]),select,textarea,button", target);
        if (first) first.focus();
        wire(target);
      });
    }).catch(function () { window.location.reload(); });
  }

  // A closed dialog gives the focus back to what opened it, by mouse or by key.
  var opener = null;
  if (dialog) dialog.addEventListener("close", function () {
    if (dialog.contains(document.activeElement)) document.activeElement.blur();
    if (opener && opener.isConnected) opener.focus();
  });

  document.addEventListener("submit", function (e) {
    var form = e.target, by = e.submitter;
    if (form.dataset.busy) { e.preventDefault(); return; }
    var inDialog = dialog && dialog.contains(form);
    if (!(by && by.hasAttribute("data-dialog")) && !inDialog) {
      if (form.method === "post") form.dataset.busy = "1"; // a double click is one click
      return;
    }
    e.preventDefault();
    var url = (by && by.getAttribute("formaction")) || form.action;
    var data = new URLSearchParams(new FormData(form, by));
    form.dataset.busy = "1";
    show(url, { method: "POST", body: data }).finally(function () { delete form.dataset.busy; });
  });

  document.addEventListener("click", function (e) {
    var close = e.target.closest("[data-close]");
    if (close && dialog && dialog.contains(close)) { e.preventDefault(); dialog.close(); return; }
    var open = e.target.closest("a[data-dialog]");
    if (open) { e.preventDefault(); opener = open; show(open.href, { method: "GET" }); return; }
    if (e.target.closest("[data-help]")) { e.preventDefault(); $("#keys").showModal(); return; }
    var row = e.target.closest("tr[data-href]");
    if (row && !e.target.closest("a,button,input,label,summary") && !String(window.getSelection())) {
      window.location.assign(row.dataset.href);
    }
  });

  // Required ticks: the button stays off until every one is given.
  function wire(root) {
    var go = $("[data-needs-ticks]", root);
    if (!go) return;
    var boxes = all("input[type=checkbox][required]", root);
    var check = function () { go.disabled = !boxes.every(function (b) { return b.checked; }); };
    boxes.forEach(function (b) { b.addEventListener("change", check); });
    check();
  }
  wire(document);
  document.addEventListener("pageshow", function () { all("form[data-busy]").forEach(function (f) { delete f.dataset.busy; }); });

  // One box ticks them all; a button for the ticked ones is off while there are none.
  function some(name) { return all("input[type=checkbox][name='" + name + "']"); }
  function bulk() {
    all("[data-all]").forEach(function (box) {
      var boxes = some(box.dataset.all), on = boxes.filter(function (b) { return b.checked; }).length;
      box.checked = on > 0 && on === boxes.length;
      box.indeterminate = on > 0 && on < boxes.length;
    });
    all("[data-some]").forEach(function (b) { b.disabled = !some(b.dataset.some).some(function (x) { return x.checked; }); });
  }
  document.addEventListener("change", function (e) {
    var box = e.target;
    if (box.dataset && box.dataset.all) some(box.dataset.all).forEach(function (b) { b.checked = box.checked; });
    bulk();
  });
  bulk();

  // A refused form: to the first field that has to be put right.
  var wrong = $("[aria-invalid=true]");
  if (wrong) wrong.focus();

  // Rows: j and k move, Enter opens. The choice survives a live refresh.
  var chosen = "";
  function rows() { return all("tr[data-href]"); }
  function mark(row) {
    rows().forEach(function (r) { r.classList.remove("chosen"); r.removeAttribute("aria-current"); });
    if (!row) return;
    chosen = row.dataset.href;
    row.classList.add("chosen");
    row.setAttribute("aria-current", "true");
    row.scrollIntoView({ block: "nearest" });
  }
  function move(step) {
    var list = rows();
    if (!list.length) { turn(step); return; }
    var at = list.findIndex(function (r) { return r.dataset.href === chosen; });
    mark(list[Math.max(0, Math.min(list.length - 1, at < 0 ? 0 : at + step))]);
  }
  function turn(step) { var a = $(step > 0 ? "a[data-next]" : "a[data-previous]"); if (a) a.click(); }
  document.addEventListener("rows", function () {
    mark(rows().find(function (r) { return r.dataset.href === chosen; }));
  });

  // Keys press what is on the page; none has an effect without a dialog: a
  // button that acts at once (data-ask) asks first when a key pressed it.
  function press(name) {
    var b = $("[data-key='" + name + "']");
    if (!b || b.disabled) return !!b;
    if (!b.dataset.ask) { b.click(); return true; }
    var ask = $("#ask");
    $("p", ask).textContent = b.dataset.ask;
    $("[value=yes]", ask).textContent = b.textContent.trim();
    ask.onclose = function () { if (ask.returnValue === "yes") b.click(); };
    ask.returnValue = "";
    ask.showModal();
    $("[value=yes]", ask).focus();
    return true;
  }
  document.addEventListener("keydown", function (e) {
    if (e.ctrlKey || e.metaKey || e.altKey || e.isComposing) return;
    if (e.target.closest("input,textarea,select,dialog[open]")) return;
    var done = true;
    switch (e.key) {
      case "j": move(1); break;
      case "k": move(-1); break;
      case "Enter":
        if (e.target.closest("a,button,summary")) return;
        var row = $("tr.chosen"); done = !!row;
        if (row) window.location.assign(row.dataset.href);
        break;
      case "/": var f = $("[data-search]"); done = !!f; if (f) { f.focus(); f.select(); } break;
      case "?": $("#keys").showModal(); break;
      default: done = "cearou".indexOf(e.key) >= 0 && press(e.key);
    }
    if (done) e.preventDefault();
  });
})();
