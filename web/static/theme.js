// Runs before the first paint: follows the system's light or dark unless the
// person chose one (the server then wrote it into data-theme).
(function () {
  var root = document.documentElement;
  root.classList.add("scripted");
  if (root.dataset.theme !== "auto") return;
  var dark = window.matchMedia("(prefers-color-scheme: dark)");
  function follow() { root.setAttribute("data-bs-theme", dark.matches ? "dark" : "light"); }
  follow();
  dark.addEventListener("change", follow);
})();
