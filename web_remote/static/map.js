// @ts-check
/** The map of Spain, drawn from `map.json`, with all that stands on it; an update changes only what has changed. */

import { COLOURS, TILE_VALUES, caballero, draw, grande, king, setCount, tile } from "./pieces.js";

/** @typedef {import("./pieces.js").Colour} Colour */
/** @typedef {import("./pieces.js").Tile} Tile */
/** @typedef {[number, number]} Point */

/**
 * Where things are in a place. A tile covers the printed values; lights are spread along a line, however many a board
 * has. The King and Grandes never stand in the castillo; only it has a gate.
 * @typedef {object} PlaceGeometry
 * @property {Point[]} outline
 * @property {Point} label
 * @property {Point} tile
 * @property {Point | null} king
 * @property {Point | null} grande
 * @property {Point} button
 * @property {Point | null} kingLight
 * @property {Record<Colour, Point>} pieces
 * @property {Point[]} lights
 * @property {Point} [gate]
 */

/**
 * What `map.json` holds.
 * @typedef {object} Geometry
 * @property {[number, number, number, number]} viewBox
 * @property {Record<"piece" | "grande" | "king" | "button" | "light" | "label", number> & {tile: Point}} sizes
 * @property {Point} compass
 * @property {Point[][]} lands that are not in the game
 * @property {Record<string, PlaceGeometry>} places
 */

/**
 * What can be told of a place in words.
 * @typedef {object} Contents
 * @property {string} name
 * @property {[Colour, number][]} caballeros
 * @property {boolean} hidden whether the caballeros are hidden, as in the castillo
 * @property {Colour[]} grandes
 * @property {boolean} king
 * @property {Tile | null} tile
 * @property {readonly number[]} values
 * @property {Mark[]} marks
 */

/**
 * How a place stands out.
 * @typedef {"wrong" | "from" | "to" | "origin" | "legal" | "scored"} Mark
 */

/**
 * @typedef {object} MapOptions
 * @property {Record<string, string>} names
 * @property {Record<string, [number, number, number]>} values as printed
 * @property {(place: string) => void} [onPlace] called when a legal place is chosen
 * @property {(place: string, contents: Contents) => string} [label] a place in words, for those who hear the page
 */

/**
 * What the map shows.
 * @typedef {object} MapState
 * @property {string | null} king
 * @property {Record<Tile, string | null>} tiles
 * @property {Partial<Record<Colour, SeatState>>} seats
 * @property {string[]} legal
 * @property {string | null} origin
 * @property {string[]} wrong
 * @property {{from: string | null, to: string | null}} [step]
 * @property {string | null} [scored]
 */

/** @typedef {{regions: Record<string, number>, castillo: number | null, grande: string | null}} SeatState */

const CASTILLO = "castillo";
/** How wide a letter of a name is, of a size of 1: with the widest of the fonts. */
const LETTER = 0.6;
/** How far a name stays from the border. */
const EDGE = 8;
const TILES = /** @type {const} */ (["8", "4"]);

/** The strongest first: a place with several marks wears the pattern and the badge of the first. @type {Mark[]} */
const MARKS = ["wrong", "from", "to", "origin", "legal", "scored"];

/** What is drawn on the badge of a mark, in a field of 24 by 24 around the middle. @type {Record<Mark, string>} */
const GLYPHS = {
  wrong: "M-7 -7L7 7M7 -7L-7 7",
  from: "M0 10V-9M-8 -1L0 -9L8 -1",
  to: "M0 -10V9M-8 1L0 9L8 1",
  origin: "M-9 0L-3 7L9 -7",
  legal: "M-9 0H9M0 -9V9",
  scored: "M0 -10L3 -3L10 -3L4.5 2L6.5 9L0 5L-6.5 9L-4.5 2L-10 -3L-3 -3Z",
};

/**
 * The patterns: width and height of the field that is repeated, and its strokes.
 * @type {Record<string, [number, number, string]>}
 */
const PATTERNS = {
  sea: [64, 40, "M6 12q6 -6 12 0t12 0M38 32q6 -6 12 0t12 0"],
  brick: [36, 28, "M0 0H36M0 14H36M8 0V14M26 14V28"],
  taboo: [14, 14, "M0 14L14 0M-2 2L2 -2M12 16L16 12"],
  wrong: [22, 22, "M0 0L22 22M0 22L22 0"],
  legal: [36, 36, "M8 9h2M26 27h2"],
  origin: [16, 16, "M0 4H16M0 12H16"],
};

let maps = 0;

/**
 * Draws the map into an `svg` element of the page.
 * @param {SVGSVGElement} svg
 * @param {Geometry} geometry
 * @param {MapOptions} options
 */
export function drawMap(svg, geometry, options) {
  const prefix = `map-${(maps += 1)}`;
  svg.replaceChildren();
  svg.classList.add("map", "still");
  svg.setAttribute("viewBox", geometry.viewBox.join(" "));
  svg.setAttribute("role", "group");
  svg.append(definitions(prefix, geometry), ...surroundings(prefix, geometry));
  const places = new Map(
    Object.entries(geometry.places).map(([name, where]) => [name, drawPlace(prefix, name, where, geometry, options)]),
  );
  const movers = drawMovers(geometry);
  const overlay = draw("g", { class: "overlay" });
  svg.append(
    draw("g", { class: "places" }, ...[...places.values()].map((place) => place.group)),
    draw("g", { class: "movers", "aria-hidden": "true" }, ...movers.elements),
    overlay,
  );

  /** @param {MapState} state */
  function update(state) {
    svg.classList.toggle("choosing", state.legal.length > 0);
    for (const place of places.values()) place.show(state);
    movers.show(state);
    if (svg.classList.contains("still")) {
      svg.getBoundingClientRect();
      svg.classList.remove("still");
    }
  }
  /** `overlay` lies above everything, for what other pages add: lights, points that fly. */
  return { update, overlay };
}

/**
 * As many points as wanted, evenly along a line of points.
 * @param {Point[]} line
 * @param {number} count
 * @returns {Point[]}
 */
export function spread(line, count) {
  const lengths = line.slice(1).map(([x, y], index) => Math.hypot(x - line[index][0], y - line[index][1]));
  const whole = lengths.reduce((sum, length) => sum + length, 0);
  return Array.from({ length: count }, (_, number) => {
    let rest = count === 1 ? whole / 2 : (whole * number) / (count - 1);
    let leg = 0;
    while (leg < lengths.length - 1 && rest > lengths[leg]) rest -= lengths[leg++];
    const [[x, y], [toX, toY]] = [line[leg], line[leg + 1]];
    const share = lengths[leg] ? rest / lengths[leg] : 0;
    return [x + (toX - x) * share, y + (toY - y) * share];
  });
}

// --- What never changes ----------------------------------------------------------------------------------------------

/** @param {Point[]} points */
function closed(points) {
  return `M${points.map((point) => point.join(" ")).join("L")}Z`;
}

/** @param {string[]} shapes */
function paths(shapes) {
  return shapes.map((d) => draw("path", { d }));
}

/**
 * How wide a text around a point may be inside an outline.
 * @param {Point[]} outline
 * @param {Point} middle
 */
function room(outline, [x, y]) {
  const edges = outline.flatMap(([aX, aY], index) => {
    const [bX, bY] = outline[(index + 1) % outline.length];
    return aY > y === bY > y ? [] : [Math.abs(aX + ((y - aY) / (bY - aY)) * (bX - aX) - x)];
  });
  return 2 * (Math.min(...edges) - EDGE);
}

/** @param {Point} point */
function to([x, y]) {
  return `translate(${x} ${y})`;
}

/**
 * Patterns, and the outlines to clip by.
 * @param {string} prefix
 * @param {Geometry} geometry
 */
function definitions(prefix, geometry) {
  const patterns = Object.entries(PATTERNS).map(([name, [width, height, d]]) => {
    const pattern = draw("pattern", { id: `${prefix}-${name}`, width, height, patternUnits: "userSpaceOnUse" });
    pattern.append(draw("path", { class: `pattern ${name}`, d }));
    return pattern;
  });
  const clips = Object.entries(geometry.places).map(([name, { outline }]) =>
    draw("clipPath", { id: `${prefix}-in-${name}` }, draw("path", { d: closed(outline) })),
  );
  return draw("defs", {}, ...patterns, ...clips);
}

/**
 * The sea with its waves, shallow water along the coasts, the lands around, and a compass.
 * @param {string} prefix
 * @param {Geometry} geometry
 */
function surroundings(prefix, geometry) {
  // The sea goes on beyond the map, where a window is wider or higher.
  const [x, y, width, height] = [-2000, -2000, 5000, 5000];
  const lands = geometry.lands.map(closed);
  const shores = [...lands, ...Object.values(geometry.places).map(({ outline }) => closed(outline))];
  const compass = draw("g", { class: "compass", transform: to(geometry.compass) });
  compass.append(
    draw("circle", { r: 27 }),
    draw("path", { d: "M0 -44L8 -8L32 0L8 8L0 32L-8 8L-32 0L-8 -8Z" }),
    draw("path", { class: "north", d: "M0 -44L8 -8L0 0L-8 -8Z" }),
  );
  const around = [
    draw("rect", { class: "sea", x, y, width, height }),
    draw("rect", { class: "waves", x, y, width, height, fill: `url(#${prefix}-sea)` }),
    ...["deep", "shallow"].map((depth) => draw("g", { class: `shore ${depth}` }, ...paths(shores))),
    draw("g", { class: "lands" }, ...paths(lands)),
    compass,
  ];
  return [draw("g", { class: "around", "aria-hidden": "true" }, ...around)];
}

// --- Places ----------------------------------------------------------------------------------------------------------

/**
 * One place, and how it follows the state.
 * @param {string} prefix
 * @param {string} name
 * @param {PlaceGeometry} where
 * @param {Geometry} geometry
 * @param {MapOptions} options
 */
function drawPlace(prefix, name, where, geometry, options) {
  const { sizes } = geometry;
  const d = closed(where.outline);
  const clip = `url(#${prefix}-in-${name})`;
  const hatch = draw("path", { class: "hatch", d, fill: "none" });
  const glyph = draw("path", { class: "glyph" });
  const disc = draw("circle", { r: sizes.button / 2 - 1 });
  const badge = draw("g", { class: "badge", transform: to(where.button) }, disc, glyph);
  const words = options.names[name] ?? name;
  const size = Math.min(sizes.label, room(where.outline, where.label) / (LETTER * words.length));
  const title = draw("text", { class: "name", x: where.label[0], y: where.label[1], "font-size": Math.floor(size) });
  title.textContent = words;
  const values = draw("text", { class: "values", x: where.tile[0], y: where.tile[1], "font-size": sizes.label });
  values.textContent = options.values[name]?.join("/") ?? "";
  const group = draw("g", { class: `place ${name}`, "data-place": name });
  group.append(
    draw("path", { class: "ground", d }),
    draw("path", { class: "veil", d, fill: `url(#${prefix}-${name === CASTILLO ? "brick" : "taboo"})` }),
    hatch,
    draw("path", { class: "mark under", d, "clip-path": clip }),
    draw("path", { class: "mark", d, "clip-path": clip }),
    draw("path", { class: "edge", d }),
    draw("path", { class: "focus", d, "clip-path": clip }),
    title,
    values,
  );
  if (where.gate) group.append(drawGate(where.gate));
  const pieces = COLOURS.map((colour) => {
    const piece = caballero(colour, sizes.piece);
    piece.classList.add("absent");
    group.append(draw("g", { transform: to(where.pieces[colour]), "data-piece": `caballero ${colour}` }, piece));
    return /** @type {const} */ ([colour, piece]);
  });
  group.append(badge);
  listen(group, name, options);

  /** @param {MapState} state */
  function show(state) {
    const contents = contentsOf(name, state, options);
    const [first] = contents.marks;
    for (const mark of MARKS) group.classList.toggle(mark, contents.marks.includes(mark));
    group.classList.toggle("taboo", contents.king);
    group.classList.toggle("tiled", contents.tile !== null);
    group.classList.toggle("closed", contents.hidden);
    set(hatch, "fill", first && first in PATTERNS ? `url(#${prefix}-${first})` : "none");
    if (first) set(glyph, "d", GLYPHS[first]);

    const counts = new Map(contents.caballeros);
    for (const [colour, piece] of pieces) {
      const count = counts.get(colour) ?? 0;
      // The last number stays while the piece fades.
      if (count) setCount(piece, count);
      piece.classList.toggle("absent", !count);
    }
    set(group, "aria-label", (options.label ?? inWords)(name, contents));
    offer(group, contents.marks.includes("legal") && options.onPlace !== undefined);
  }
  return { group, show };
}

/**
 * The gate of the castillo, seen while what is inside is hidden.
 * @param {Point} middle
 */
function drawGate(middle) {
  const bars = [-22, 0, 22].map((x) => `M${x} ${x ? -38 : -46}V48`).join("");
  return draw(
    "g",
    { class: "gate", transform: to(middle) },
    draw("path", { class: "door", d: "M-40 48V-10A40 40 0 0 1 40 -10V48Z" }),
    draw("path", { class: "bars", d: `${bars}M-39 -16H39M-40 8H40M-40 32H40` }),
    draw("path", { class: "arch", d: "M-40 48V-10A40 40 0 0 1 40 -10V48Z" }),
  );
}

/**
 * A place is chosen by a click, or by Enter or Space.
 * @param {SVGGElement} group
 * @param {string} name
 * @param {MapOptions} options
 */
function listen(group, name, options) {
  const choose = () => {
    if (group.getAttribute("role") === "button") options.onPlace?.(name);
  };
  group.addEventListener("click", choose);
  group.addEventListener("keydown", (event) => {
    if (event.key !== "Enter" && event.key !== " ") return;
    event.preventDefault();
    if (!event.repeat) choose();
  });
  group.addEventListener("blur", () => {
    if (group.getAttribute("role") !== "button") group.removeAttribute("tabindex");
  });
}

/**
 * Makes a place a button, or a picture.
 * @param {SVGGElement} group
 * @param {boolean} legal
 */
function offer(group, legal) {
  set(group, "role", legal ? "button" : "img");
  if (legal) set(group, "tabindex", "0");
  // A place that was just chosen keeps the keyboard's focus until it goes elsewhere.
  else if (document.activeElement === group) set(group, "tabindex", "-1");
  else group.removeAttribute("tabindex");
}

/**
 * @param {string} name
 * @param {MapState} state
 * @param {MapOptions} options
 * @returns {Contents}
 */
function contentsOf(name, state, options) {
  const seats = COLOURS.flatMap((colour) => {
    const seat = state.seats[colour];
    return seat ? [/** @type {const} */ ([colour, seat])] : [];
  });
  const lying = TILES.find((which) => state.tiles[which] === name) ?? null;
  /** @type {Record<Mark, boolean>} */
  const marked = {
    wrong: state.wrong.includes(name),
    from: state.step?.from === name,
    to: state.step?.to === name,
    origin: state.origin === name,
    legal: state.legal.includes(name),
    scored: state.scored === name,
  };
  return {
    name: options.names[name] ?? name,
    caballeros: seats.flatMap(([colour, seat]) => {
      const count = (name === CASTILLO ? seat.castillo : seat.regions[name]) ?? 0;
      return count ? [/** @type {[Colour, number]} */ ([colour, count])] : [];
    }),
    hidden: name === CASTILLO && seats.some(([, seat]) => seat.castillo === null),
    grandes: seats.filter(([, seat]) => seat.grande === name).map(([colour]) => colour),
    king: state.king === name,
    tile: lying,
    values: lying ? TILE_VALUES[lying] : (options.values[name] ?? []),
    marks: MARKS.filter((mark) => marked[mark]),
  };
}

/**
 * A place in words, unless the page has better ones.
 * @param {string} _
 * @param {Contents} contents
 */
function inWords(_, contents) {
  const parts = [`worth ${contents.values.join(", ")}`];
  if (contents.tile) parts.push(`tile ${contents.tile}`);
  if (contents.king) parts.push("the King");
  parts.push(...contents.grandes.map((colour) => `Grande of ${colour}`));
  parts.push(...contents.caballeros.map(([colour, count]) => `${colour} ${count}`));
  if (contents.hidden) parts.push("contents hidden");
  parts.push(...contents.marks);
  return `${contents.name}: ${parts.join("; ")}`;
}

/**
 * @param {Element} element
 * @param {string} attribute
 * @param {string} value
 */
function set(element, attribute, value) {
  if (element.getAttribute(attribute) !== value) element.setAttribute(attribute, value);
}

// --- Pieces that go from place to place ------------------------------------------------------------------------------

/**
 * The tiles, the Grandes and the King: each is one element that moves.
 * @param {Geometry} geometry
 */
function drawMovers(geometry) {
  const { sizes, places } = geometry;
  const tiles = TILES.map((name) => /** @type {const} */ ([name, mover(`tile ${name}`, tile(name, sizes.tile[0]))]));
  const grandes = COLOURS.map(
    (colour) => /** @type {const} */ ([colour, mover(`grande ${colour}`, grande(colour, sizes.grande))]),
  );
  const crown = mover("king", king(sizes.king));

  /** @param {MapState} state */
  function show(state) {
    for (const [name, element] of tiles) {
      const place = state.tiles[name];
      move(element, (place && places[place]?.tile) || null);
    }
    for (const [colour, element] of grandes) {
      const place = state.seats[colour]?.grande ?? null;
      const together = COLOURS.filter((other) => place && state.seats[other]?.grande === place);
      const middle = (place && places[place]?.grande) || null;
      const [aside, scale] = abreast(together.indexOf(colour), together.length, sizes.grande);
      move(element, middle && [middle[0] + aside, middle[1]], scale);
    }
    move(crown, (state.king && places[state.king]?.king) || null);
  }
  return { elements: [...tiles, ...grandes].map(([, element]) => element).concat(crown), show };
}

/**
 * @param {string} name
 * @param {SVGGElement} piece
 */
function mover(name, piece) {
  piece.classList.add("absent");
  return draw("g", { class: "mover", "data-piece": name }, piece);
}

/**
 * Where one of several Grandes stands in the room of two, and at what scale.
 * @param {number} index
 * @param {number} count
 * @param {number} size
 * @returns {[number, number]}
 */
function abreast(index, count, size) {
  const room = 2 * size;
  const scale = count <= 2 ? 1 : count === 3 ? 0.7 : 0.6;
  const step = count <= 1 ? 0 : Math.min(size * scale, (room - size * scale) / (count - 1));
  return [(index - (count - 1) / 2) * step, scale];
}

/**
 * Moves a piece to a point, or off the map.
 * @param {SVGGElement} element
 * @param {Point | null} point
 * @param {number} [scale]
 */
function move(element, point, scale = 1) {
  const piece = element.firstElementChild;
  if (!piece) return;
  if (point) {
    const appears = piece.classList.contains("absent");
    const transform = `translate(${point[0]}px, ${point[1]}px) scale(${scale})`;
    // A piece that comes onto the map appears where it goes, and does not fly in from where it last was.
    if (appears) element.classList.add("still");
    if (element.style.transform !== transform) element.style.transform = transform;
    if (appears) {
      element.getBoundingClientRect();
      element.classList.remove("still");
    }
  }
  piece.classList.toggle("absent", !point);
}
