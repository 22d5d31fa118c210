// SPDX-FileCopyrightText: 2026 The weft authors
// SPDX-License-Identifier: MIT
#include "mesh/generate_shapes.h"

#include "mesh/garment_cuts.h"

#include <math.h>

// Clothes for the figure. Widths are a quarter of the girth where they are worn, and some ease; the bodice ends at the waist or goes on.

static const wfBodiceCut s_dress = {.hemHalf = 0.235,
                                    .hemY = 0.33,
                                    .hemDip = 0.022,
                                    .hipHalf = 0.150,
                                    .hipY = 0.52,
                                    .waistHalf = 0.104,
                                    .waistY = 0.635,
                                    .armHalf = 0.124,
                                    .armY = 0.715,
                                    .shoulderHalf = 0.090,
                                    .slope = 0.012,
                                    .neckHalf = 0.056,
                                    .neckDepth = 0.066,
                                    .top = 0.862};

static void CutFrontAndBack(wfGarment* g, const wfBodiceCut* cut, double backDepth, int* front, int* back) {
    wfBodiceCut rear = *cut;
    rear.neckDepth = backDepth;
    *front = wfCutBodice(g, wfHangPlace(cut, 1, 0.0), cut);
    *back = wfCutBodice(g, wfHangPlace(cut, -1, 0.0), &rear);
    wfSewBodice(g, *front, *back);
}

bool wfMakeDress(wfMesh* out, const wfGenerateDef* def, wfError* err) {
    wfGarment g = {.name = "dress", .err = err};
    int front, back;
    CutFrontAndBack(&g, &s_dress, 0.045, &front, &back);
    return wfGarment_Finish(&g, out, def->size.y, def->edge, err);
}

// ---- skirts -------------------------------------------------------------------------------------------------------------------

// Two sectors, sewn at the sides; each further layer lies outside of those before. They lie about a cone: flat before and behind the body,
// the sides of all layers would have to come past each other on their way to their seams.
typedef struct Halves {
    int front, back;
} Halves;

static Halves CutSkirt(wfGarment* g, const wfSectorCut* cut, wfGarmentPlace front, wfGarmentPlace back) {
    Halves h = {.front = wfCutSector(g, front, cut)};
    h.back = wfCutSector(g, back, cut);
    wfSewSectors(g, h.front, h.back, cut->line > 0.0);
    return h;
}

bool wfMakeSkirt(wfMesh* out, const wfGenerateDef* def, wfError* err) {
    const double band = 0.195, low = 0.628, high = 0.652; // half the waistband's length, and its heights
    wfGarment g = {.name = "skirt", .err = err};
    double apart = wfLayerDistance(def->size.y, def->edge);
    wfSectorCut cut = {.angle = 1.5, .waist = 1.5 * band, .length = 0.30, .y = low - fmax(0.028, apart)};
    double away = fmax(0.014, apart);
    Halves skirt = CutSkirt(&g, &cut, wfConePlace(&cut, 1, away, 0, 0.0), wfConePlace(&cut, -1, away, 0, 0.0));
    int halves[2];
    for (int k = 0; k < 2; ++k) {
        wfGarmentPlace place = wfHangPlace(&s_dress, k == 0 ? 1 : -1, 0.0);
        place.bend = 2.0;
        place.lift = 0.0;
        halves[k] = wfGarment_Panel(&g, place, -0.5 * band, low);
        wfGarment_Line(&g, 0.5 * band, low);
        wfGarment_Line(&g, 0.5 * band, high);
        wfGarment_Line(&g, -0.5 * band, high);
        wfGarment_Line(&g, -0.5 * band, low);
        int own = k == 0 ? skirt.front : skirt.back;
        wfGarment_Sew(&g, (wfGarmentEdge){halves[k], 0}, (wfGarmentEdge){own, wf_sectorWaist}, false);
    }
    wfGarment_Sew(&g, (wfGarmentEdge){halves[0], 1}, (wfGarmentEdge){halves[1], 3}, false);
    wfGarment_Sew(&g, (wfGarmentEdge){halves[0], 3}, (wfGarmentEdge){halves[1], 1}, false);
    return wfGarment_Finish(&g, out, def->size.y, def->edge, err);
}

// A bodice to the waist, a skirt gathered into its hem, and others, each over the one before and shorter, and sewn to a line of it below
// its waist: about one seam there is room for two or three sheets, not for all skirts. All are of one circle, so that each lies about the
// line that it is sewn to.
static bool MakeGown(wfMesh* out, const wfGenerateDef* def, const char* name, int layers, double length, double shorter, double line,
                     wfError* err) {
    wfGarment g = {.name = name, .err = err};
    wfBodiceCut cut = s_dress;
    int front, back;
    cut.hemY = cut.waistY - 0.004;
    cut.hemHalf = 0.100;
    cut.hemDip = 0.004;
    cut.waistY = cut.hipY = 0.0;
    CutFrontAndBack(&g, &cut, 0.045, &front, &back);
    double apart = wfLayerDistance(def->size.y, def->edge), away = fmax(0.021, apart);
    wfSectorCut first = {.angle = 1.5, .waist = 1.6 * 2.0 * cut.hemHalf, .length = length, .y = 0.630};
    wfGarmentEdge over[2] = {{front, wf_bodiceHem}, {back, wf_bodiceHem}};
    for (int k = 0; k < layers; ++k) {
        bool lined = k + 1 < layers;
        wfSectorCut sector = first;
        sector.waist += k * line * first.angle;
        sector.y -= k * line;
        sector.length -= k * (shorter * length + line);
        sector.line = lined ? line : 0.0;
        Halves skirt = CutSkirt(&g, &sector, wfConePlace(&first, 1, away, k, apart), wfConePlace(&first, -1, away, k, apart));
        int waist = lined ? wf_linedWaist : wf_sectorWaist;
        wfGarment_Sew(&g, over[0], (wfGarmentEdge){skirt.front, waist}, k > 0);
        wfGarment_Sew(&g, over[1], (wfGarmentEdge){skirt.back, waist}, k > 0);
        over[0] = (wfGarmentEdge){skirt.front, wf_linedLine};
        over[1] = (wfGarmentEdge){skirt.back, wf_linedLine};
    }
    return wfGarment_Finish(&g, out, def->size.y, def->edge, err);
}

bool wfMakeGown(wfMesh* out, const wfGenerateDef* def, wfError* err) { return MakeGown(out, def, "gown", 1, 0.585, 0.0, 0.0, err); }

bool wfMakeLayeredDress(wfMesh* out, const wfGenerateDef* def, wfError* err) {
    if (def->count > 8) return wfFail(err, wf_badInput, "layered-dress: count: expected at most 8 layers, got %d", def->count);
    return MakeGown(out, def, "layered-dress", def->count, 0.53, 0.7 / def->count, 0.14 / def->count, err);
}

// ---- the shirt ----------------------------------------------------------------------------------------------------------------

static const wfBodiceCut s_shirt = {.hemHalf = 0.162,
                                    .hemY = 0.485,
                                    .hemDip = 0.012,
                                    .hipHalf = 0.0,
                                    .hipY = 0.0,
                                    .waistHalf = 0.136,
                                    .waistY = 0.640,
                                    .armHalf = 0.143,
                                    .armY = 0.700,
                                    .shoulderHalf = 0.104,
                                    .slope = 0.018,
                                    .neckHalf = 0.058,
                                    .neckDepth = 0.050,
                                    .top = 0.864};

static const double s_bibTop = 0.085, s_bibLow = 0.660, s_bibStep = 0.045; // half the lines that layers are sewn to, the lowest, the next

// A layer over the front: sewn to it along a line across the chest, the further out the higher and the narrower, and free below. Each has a
// line of its own, far enough from the others: where many layers are sewn into one seam there is no room for their vertices about it.
static int CutBib(wfGarment* g, int layer, int layers, double apart, double line) {
    const wfBodiceCut* c = &s_shirt;
    double share = (double)layer / layers, half = 0.128 - 0.040 * share, low = c->hemY + 0.06 + 0.10 * (share - 1.0 / layers),
           side = low + 0.04;
    int bib = wfGarment_Panel(g, wfHangPlace(c, 1, layer * apart), -half, side);
    wfGarment_Curve(g, -half, low - 0.012, half, low - 0.012, half, side);
    wfGarment_Line(g, s_bibTop, line);
    wfGarment_Line(g, -s_bibTop, line);
    wfGarment_Line(g, -half, side);
    return bib;
}

// About an arm, with the seam below. The arms are raised to 60 degrees (`arms: 25` of a pose): beside arms that hang at 35 the cloth of
// sleeve and side comes together under them in a fold that is too sharp for its vertices. The flat y is 0 at the shoulder and falls toward
// the hand.
static int CutSleeve(wfGarment* g, int side) {
    const double c = 0.5, s = 0.86603, upper = 0.112, cuff = 0.062, under = -0.070, wrist = -0.315;
    wfGarmentPlace place = {.lay = wf_layRoll,
                            .origin = {side * 0.104, 0.782, -0.008},
                            .axis = {-side * s, c, 0.0},
                            .normal = {side * c, s, 0.0},
                            .radius = 0.050};
    int sleeve = wfGarment_Panel(g, place, -cuff, wrist);
    wfGarment_Line(g, cuff, wrist);
    wfGarment_Line(g, upper, under);
    wfGarment_Curve(g, 0.65 * upper, under, 0.55 * upper, 0.0, 0.0, 0.0);
    wfGarment_Curve(g, -0.55 * upper, 0.0, -0.65 * upper, under, -upper, under);
    wfGarment_Line(g, -cuff, wrist);
    wfGarment_Sew(g, (wfGarmentEdge){sleeve, 1}, (wfGarmentEdge){sleeve, 4}, false);
    return sleeve;
}

// About the neck, open in front, above what the layers over the front reach there.
static int CutCollar(wfGarment* g, double apart) {
    const double back = 0.072, front = 0.156, point = 0.012, low = fmax(0.898, 0.888 + apart), high = low + 0.028;
    wfGarmentPlace place = {.lay = wf_layRoll, .axis = {0, 1, 0}, .normal = {0, 0, -1}, .radius = 0.067};
    int collar = wfGarment_Panel(g, place, -front, low);
    wfGarment_Line(g, -back, low);
    wfGarment_Line(g, 0.0, low);
    wfGarment_Line(g, back, low);
    wfGarment_Line(g, front, low);
    wfGarment_Line(g, front + point, high);
    wfGarment_Line(g, -front - point, high);
    wfGarment_Line(g, -front, low);
    return collar;
}

bool wfMakeShirt(wfMesh* out, const wfGenerateDef* def, wfError* err) {
    if (def->count > 5) return wfFail(err, wf_badInput, "shirt: count: expected at most 5 layers, got %d", def->count);
    wfGarment g = {.name = "shirt", .err = err};
    int front, back, lines[5];
    double apart = wfLayerDistance(def->size.y, def->edge);
    wfBodiceCut rear = s_shirt;
    rear.neckDepth = 0.036;
    front = wfCutBodice(&g, wfHangPlace(&s_shirt, 1, 0.0), &s_shirt);
    for (int layer = 1; layer < def->count; ++layer) {
        double y = s_bibLow + (layer - 1) * s_bibStep;
        lines[layer] = wfGarment_Crease(&g, s_bibTop, y);
        wfGarment_Line(&g, -s_bibTop, y);
    }
    back = wfCutBodice(&g, wfHangPlace(&s_shirt, -1, 0.0), &rear);
    wfSewBodice(&g, front, back);
    for (int layer = 1; layer < def->count; ++layer) {
        int bib = CutBib(&g, layer, def->count, apart, s_bibLow + (layer - 1) * s_bibStep);
        wfGarment_Sew(&g, (wfGarmentEdge){front, lines[layer]}, (wfGarmentEdge){bib, 2}, true);
    }
    for (int side = -1; side <= 1; side += 2) {
        int sleeve = CutSleeve(&g, side), own = side > 0 ? front : back, other = side > 0 ? back : front;
        // The flat x of a sleeve goes from front to back on the right, from back to front on the left.
        wfGarment_Sew(&g, (wfGarmentEdge){other, wf_bodiceArmLeft}, (wfGarmentEdge){sleeve, 2}, false);
        wfGarment_Sew(&g, (wfGarmentEdge){own, wf_bodiceArmRight}, (wfGarmentEdge){sleeve, 3}, false);
    }
    int collar = CutCollar(&g, apart);
    const int necks[4][2] = {
        {front, wf_bodiceNeckRight}, {back, wf_bodiceNeckLeft}, {back, wf_bodiceNeckRight}, {front, wf_bodiceNeckLeft}};
    for (int k = 0; k < 4; ++k) wfGarment_Sew(&g, (wfGarmentEdge){necks[k][0], necks[k][1]}, (wfGarmentEdge){collar, k}, false);
    return wfGarment_Finish(&g, out, def->size.y, def->edge, err);
}
