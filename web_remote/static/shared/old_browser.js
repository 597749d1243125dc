// Says so when a browser is too old for the pages. A plain script in plain old JavaScript: it must run where they do not.

(function () {
  var line = document.getElementById("old-browser");
  // Each came with, or after, everything that the pages need: Safari 15.4, Firefox 94 and 101, Chrome 98 and 108.
  var young = typeof structuredClone === "function" && window.CSS && CSS.supports("height", "100dvh");
  if (line && !young) line.hidden = false;
})();
