// @ts-check
/** The pictures of the rules, drawn like the pieces and the map of the game. Their captions say the same in words. */

import { closed } from "../shared/map_layout.js";
import { drawMap } from "../shared/map.js";
import { page } from "../shared/page.js";
import { caballero, draw, grande, icon, king, tile } from "../shared/pieces.js";

/** @typedef {import("../shared/map_layout.js").Geometry} Geometry */
/** @typedef {import("../shared/map_layout.js").Point} Point */

const SIZE = 48;

/** Draws every picture of the page into its figure. */
export async function drawFigures() {
  for (const shape of /** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll(".shape"))) {
    shape.append(icon(caballero(shape.dataset.colour ?? "", SIZE), SIZE));
  }
  const response = await fetch(new URL("../shared/map.json", import.meta.url));
  /** @type {Geometry} */
  const geometry = await response.json();
  /** @type {Record<string, (figure: HTMLElement) => SVGSVGElement>} */
  const pictures = {
    pieces: pieces,
    "power-cards": powerCards,
    map: (figure) => mapWithKing(figure, geometry),
    dial: dial,
  };
  for (const figure of /** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll("[data-picture]"))) {
    figure.prepend(silent(pictures[figure.dataset.picture ?? ""](figure)));
  }
  for (const figure of /** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll(".example"))) {
    figure.prepend(silent(scoredPlace(figure, geometry)));
  }
}

/** Keeps a picture from screen readers, which have its caption. @param {SVGSVGElement} picture */
function silent(picture) {
  picture.setAttribute("aria-hidden", "true");
  return picture;
}

/**
 * Puts a drawing somewhere.
 * @param {SVGElement} drawing
 * @param {number} x
 * @param {number} y
 */
function at(drawing, x, y) {
  return draw("g", { transform: `translate(${x} ${y})` }, drawing);
}

/**
 * @param {string} words
 * @param {Record<string, string | number>} attributes
 */
function write(words, attributes) {
  const text = draw("text", attributes);
  text.textContent = words;
  return text;
}

/** A caballero and the Grande of each colour, the King, and the tiles. */
function pieces() {
  const row = page.colours.flatMap((colour, index) => [
    at(caballero(colour, 40), 36 + index * 72, 34),
    at(grande(colour, 56), 36 + index * 72, 100),
  ]);
  const beside = page.tiles.map((each, index) => at(tile(each.tile, 104), 530, 34 + index * 66));
  return draw("svg", { class: "pieces", viewBox: "0 0 600 140" }, ...row, at(king(84), 420, 68), ...beside);
}

/** The lowest, the middle and the highest power card. */
function powerCards() {
  const last = page.recruits.length - 1;
  const cards = [1, Math.ceil(last / 2), last].map((number, index) => {
    const count = page.recruits[number];
    const rows = Array.from({ length: count }, (_, each) =>
      at(caballero(page.colours[0], 22), 42 + (each % 3) * 28, 104 + Math.floor(each / 3) * 28),
    );
    return at(
      draw(
        "g",
        { class: "power-card" },
        draw("rect", { x: 2, y: 2, width: 136, height: 160, rx: 12 }),
        write(String(number), { class: "number", x: 70, y: 62, "font-size": 54 }),
        ...rows,
        ...(count ? [] : [write("0", { class: "none", x: 70, y: 128, "font-size": 30 })]),
      ),
      index * 160,
      0,
    );
  });
  return draw("svg", { class: "power-cards", viewBox: "0 0 460 164" }, ...cards);
}

/**
 * The map with the King: his region is closed, its neighbours are lit.
 * @param {HTMLElement} figure
 * @param {Geometry} geometry
 */
function mapWithKing(figure, geometry) {
  const svg = draw("svg", {});
  const map = drawMap(svg, geometry, { names: page.places, values: page.values, label: ({ name }) => name });
  const legal = (figure.dataset.open ?? "").split(" ");
  const kingsRegion = figure.dataset.king ?? null;
  map.update({ king: kingsRegion, tiles: {}, seats: {}, legal, origin: null, wrong: [] });
  return svg;
}

/**
 * A dial with its pointer on a region.
 * @param {HTMLElement} figure
 */
function dial(figure) {
  const step = (2 * Math.PI) / page.regions.length;
  const chosen = page.regions.indexOf(figure.dataset.region ?? "");
  /** @type {(angle: number, radius: number) => Point} */
  const spot = (angle, radius) => [Math.sin(angle) * radius, -Math.cos(angle) * radius];
  const sectors = page.regions.flatMap((region, index) => {
    const [[x1, y1], [x2, y2]] = [spot((index - 0.5) * step, 140), spot((index + 0.5) * step, 140)];
    const [x, y] = spot(index * step, 102);
    const name = page.places[region] ?? region;
    const lines = name.length > 9 ? name.split(/[ -](?=[^ -]*$)/) : [name];
    return [
      draw("path", {
        class: index === chosen ? "chosen" : "sector",
        d: `M0 0L${x1} ${y1}A140 140 0 0 1 ${x2} ${y2}Z`,
      }),
      ...lines.map((line, row) =>
        write(line, { x, y: y + (row - (lines.length - 1) / 2) * 14 + 4, "font-size": 12.5 }),
      ),
    ];
  });
  const [x, y] = spot(chosen * step, 62);
  const pointer = draw("path", {
    class: "pointer",
    d: `M${spot(chosen * step - 1.2, 12).join(" ")}L${x} ${y}L${spot(chosen * step + 1.2, 12).join(" ")}Z`,
  });
  const hub = draw("circle", { class: "hub", r: 16 });
  return draw("svg", { class: "wheel", viewBox: "-150 -150 300 300" }, ...sectors, pointer, hub);
}

/**
 * One place with what stands in it.
 * @param {HTMLElement} figure
 * @param {Geometry} geometry
 */
function scoredPlace(figure, geometry) {
  const { place = "", counts = "", grande: owner } = figure.dataset;
  const where = geometry.places[place];
  const { sizes } = geometry;
  const xs = where.outline.map(([x]) => x);
  const ys = where.outline.map(([, y]) => y);
  const [left, top] = [Math.min(...xs) - 8, Math.min(...ys) - 8];
  const [width, height] = [Math.max(...xs) + 8 - left, Math.max(...ys) + 8 - top];
  const group = draw("g", { class: `place ${place}` }, draw("path", { class: "ground", d: closed(where.outline) }));
  group.append(draw("path", { class: "edge", d: closed(where.outline) }));
  group.append(
    write((page.values[place] ?? []).join("/"), {
      class: "values",
      x: where.tile[0],
      y: where.tile[1],
      "font-size": sizes.label,
    }),
  );
  for (const each of counts.split(" ")) {
    const [colour, count] = each.split(":");
    group.append(at(caballero(colour, sizes.piece, Number(count)), ...where.pieces[colour]));
  }
  if ("king" in figure.dataset && where.king) group.append(at(king(sizes.king), ...where.king));
  if (owner && where.grande) group.append(at(grande(owner, sizes.grande), ...where.grande));
  return draw("svg", { class: "map region", viewBox: `${left} ${top} ${width} ${height}` }, group);
}
